// Shows how long ago each moment of the dashboard was; on hover, the exact one in the reader's local time.
(() => {
  const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  const UNITS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
    ["day", 86_400],
    ["hour", 3_600],
    ["minute", 60],
  ];
  const MAX_SECONDS = 30 * 86_400;
  const date = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
  const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "long" });

  function wordsFor(moment: Date): string {
    const seconds = (moment.getTime() - Date.now()) / 1_000;
    const size = Math.abs(seconds);
    if (size > MAX_SECONDS) return date.format(moment);
    // The past is rounded down, and the future to the nearest: a token of 30 days that was just made ends in 30 days.
    const whole = seconds > 0 ? Math.round : Math.trunc;
    for (const [unit, length] of UNITS) if (size >= length) return words.format(whole(seconds / length), unit);
    return seconds > 0 ? "in less than a minute" : "just now";
  }

  function show(): void {
    for (const element of document.querySelectorAll<HTMLTimeElement>("main time[datetime]:not([data-exact])")) {
      const moment = new Date(element.dateTime);
      if (Number.isNaN(moment.getTime())) continue;
      const text = wordsFor(moment);
      if (element.textContent !== text) element.textContent = text;
      if (element.title === "") element.title = exact.format(moment);
    }
  }

  show();
  // A region that was replaced has its times as the server wrote them.
  addEventListener("docent:shown", show);
  setInterval(show, 30_000);
})();
