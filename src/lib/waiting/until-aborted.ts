/** The result of work, or the reason of the abort as soon as the signal fires. The work itself may go on. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => undefined); // if the signal wins the race, a later rejection would end the process
  signal.throwIfAborted(); // an earlier abort fires no event
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(signal.reason as Error);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
