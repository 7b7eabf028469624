import type { IncomingMessage } from "node:http";

/** Cuts connections whose request body no longer comes. */
export interface BodyWatch extends Disposable {
  /** `mayTakeLong`: as long as something comes. Other bodies are small and have to be there after `totalMs`. */
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
 * Node has one limit for a whole request, which is wrong for both: half a gigabyte over a slow line takes an hour, and a
 * client that stopped sending is found after minutes. Time is counted in checks, so that a pause of this process is
 * nobody's fault.
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
