import { html, type Html } from "./markup.ts";

export interface BarDay {
  label: string;
  human: number;
  ai: number;
}

/**
 * In units of the drawing, whose text is 12 high: a chart for a narrow screen is drawn narrow, so that its text stays
 * readable.
 */
export interface ChartSize {
  width: number;
  height: number;
}

/** For the width of a phone. */
export const NARROW: ChartSize = { width: 360, height: 190 };
const WIDE: ChartSize = { width: 960, height: 220 };
const LEFT = 44;
const BOTTOM = 24;
const MAX_BARS = 120;

/**
 * Stacked bars of people and AI readers by day, as SVG rendered here: no script, no request. In longer series each bar
 * is the mean of several days. The figures themselves are in the table below the chart.
 */
export function barChart(days: readonly BarDay[], { width: chartWidth, height: chartHeight }: ChartSize = WIDE): Html {
  const bars = joined(days);
  const top = niceCeiling(Math.max(2, ...bars.map((bar) => bar.human + bar.ai)));
  const scale = (chartHeight - BOTTOM - 8) / top;
  const step = (chartWidth - LEFT) / Math.max(1, bars.length);
  const floor = chartHeight - BOTTOM;
  const number = (value: number) => Number(value.toFixed(2));
  const size = daysPerBar(days.length);
  return html`<svg class="chart" viewBox="0 0 ${chartWidth} ${chartHeight}" role="img" aria-label="Visitors by day: people and AI">
    ${[0, top / 2, top].map(
      (mark) =>
        html`<line x1="${LEFT}" x2="${chartWidth}" y1="${number(floor - mark * scale)}" y2="${number(floor - mark * scale)}" class="grid" />
          <text x="${LEFT - 8}" y="${number(floor - mark * scale + 4)}" class="mark" text-anchor="end">${shortNumber(mark)}</text>`,
    )}
    ${bars.map((bar, index) => {
      const x = number(LEFT + index * step + step * 0.12);
      const width = number(step * 0.76);
      const human = number(bar.human * scale);
      const ai = number(bar.ai * scale);
      return html`<g>
        <title>${titleOf(bar, Math.min(size, days.length - index * size))}</title>
        <rect x="${number(LEFT + index * step)}" width="${number(step)}" y="8" height="${floor - 8}" class="hit" />
        <rect x="${x}" width="${width}" y="${number(floor - human)}" height="${human}" class="human" />
        <rect x="${x}" width="${width}" y="${number(floor - human - ai)}" height="${ai}" class="ai" />
      </g>`;
    })}
    ${labelPlaces(bars.length).map(
      (index) =>
        html`<text x="${number(LEFT + (index + 0.5) * step)}" y="${chartHeight - 6}" class="mark" text-anchor="${index === 0 ? "start" : index === bars.length - 1 ? "end" : "middle"}">${bars[index]?.label}</text>`,
    )}
  </svg>`;
}

/** How many days a bar stands for. */
export const daysPerBar = (days: number): number => Math.max(1, Math.ceil(days / MAX_BARS));

function joined(days: readonly BarDay[]): BarDay[] {
  const size = daysPerBar(days.length);
  if (size === 1) return [...days];
  const bars: BarDay[] = [];
  for (let start = 0; start < days.length; start += size) {
    const group = days.slice(start, start + size);
    const mean = (name: "human" | "ai") => group.reduce((sum, day) => sum + day[name], 0) / group.length;
    bars.push({ label: group[0]?.label ?? "", human: mean("human"), ai: mean("ai") });
  }
  return bars;
}

function titleOf({ label, human, ai }: BarDay, days: number): string {
  if (days === 1) return `${label}: ${human} people, ${ai} AI`;
  return `${days} days from ${label}: on average ${human.toFixed(1)} people, ${ai.toFixed(1)} AI a day`;
}

function labelPlaces(bars: number): number[] {
  if (bars === 0) return [];
  return [...new Set([0, Math.floor((bars - 1) / 2), bars - 1])];
}

/**
 * The next number that is 1, 2, 4 or 6 times a power of ten: its half is a whole number, too, as visitors are. `value`
 * is at least 2.
 */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 6, 10].map((factor) => factor * power).find((mark) => mark >= value) ?? value;
}

export function shortNumber(value: number): string {
  return new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }).format(value);
}
