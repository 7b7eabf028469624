export function showAfter(delayMs: number, show: () => void): Disposable {
  const timer = setTimeout(show, delayMs);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}
