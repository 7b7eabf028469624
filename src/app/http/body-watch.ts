import type { IncomingMessage } from "node:http";

/** Cuts connections whose request body stalls. */
export interface BodyWatch extends Disposable {
  /** `mayTakeLong`: no total limit while bytes arrive. Other bodies are small and must be complete after `totalMs`. */
  watch(incoming: IncomingMessage, options: { mayTakeLong: boolean }): void;
}

interface Watched {
  bytesRead: number;
  idleChecks: number;
  checks: number;
  mayTakeLong: boolean;
}

const CHECKS_PER_IDLE = 12;

/**
 * Node has one limit for a whole request, which suits neither case: half a gigabyte over a slow line takes an hour,
 * while a client that stopped sending should be detected sooner. Time is counted in checks, so that no client is cut
 * because this process paused.
 */
export function createBodyWatch({ idleMs, totalMs }: { idleMs: number; totalMs: number }): BodyWatch {
  const checkMs = idleMs / CHECKS_PER_IDLE;
  const watched = new Map<IncomingMessage, Watched>();
  const check = () => {
    for (const [incoming, state] of watched) {
      if (incoming.complete || incoming.socket.destroyed) {
        watched.delete(incoming);
        continue;
      }
      const { bytesRead } = incoming.socket;
      state.checks += 1;
      state.idleChecks = bytesRead === state.bytesRead ? state.idleChecks + 1 : 0;
      state.bytesRead = bytesRead;
      const isTooLong = !state.mayTakeLong && state.checks * checkMs > totalMs;
      if (state.idleChecks < CHECKS_PER_IDLE && !isTooLong) continue;
      watched.delete(incoming);
      incoming.socket.destroy();
    }
  };
  const timer = setInterval(check, checkMs).unref();
  return {
    watch(incoming, { mayTakeLong }) {
      const { headers } = incoming;
      const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
      if (!hasBody) return;
      watched.set(incoming, { bytesRead: incoming.socket.bytesRead, idleChecks: 0, checks: 0, mayTakeLong });
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
