// Time and memory over the number of files, as a picture. The dashed line leads from nothing to the largest size: what grows linearly lies
// on it, or above by what a start costs.
export interface GrowthPoint {
  files: number;
  seconds: number;
  megabytes: number;
}

const WIDTH = 360;
const HEIGHT = 220;
const MARGIN = { left: 52, top: 28, right: 14, bottom: 36 };

export function plotGrowth(points: readonly GrowthPoint[]): string {
  const panels = [panel(points, 'seconds', 's'), panel(points, 'megabytes', 'MB')];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH * panels.length}" height="${HEIGHT}" font-family="sans-serif" font-size="11">
<rect width="100%" height="100%" fill="#fff"/>
${panels.map((one, i) => `<g transform="translate(${i * WIDTH} 0)">\n${one}\n</g>`).join('\n')}
</svg>
`;
}

function panel(points: readonly GrowthPoint[], key: 'seconds' | 'megabytes', unit: string): string {
  const last = points.at(-1);
  if (!last) return '';
  const most = Math.max(...points.map((point) => point[key]));
  const x = (files: number): number => MARGIN.left + (files / last.files) * (WIDTH - MARGIN.left - MARGIN.right);
  const y = (value: number): number => HEIGHT - MARGIN.bottom - (value / most) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const at = (number: number): string => number.toFixed(1);
  const shown = (value: number): string => (value < 10 ? value.toFixed(1) : String(Math.round(value)));
  return [
    `<text x="${MARGIN.left}" y="16" fill="#222">${key === 'seconds' ? 'Cold lint, without a cache' : 'Memory at most'} (${unit})</text>`,
    `<path d="M${MARGIN.left} ${MARGIN.top}V${HEIGHT - MARGIN.bottom}H${WIDTH - MARGIN.right}" fill="none" stroke="#888"/>`,
    `<path d="M${at(x(0))} ${at(y(0))}L${at(x(last.files))} ${at(y(last[key]))}" stroke="#bbb" stroke-dasharray="4 3"/>`,
    `<polyline points="${points.map((point) => `${at(x(point.files))},${at(y(point[key]))}`).join(' ')}" fill="none" stroke="#1565c0" stroke-width="1.5"/>`,
    ...points.map((point) => `<circle cx="${at(x(point.files))}" cy="${at(y(point[key]))}" r="3" fill="#1565c0"/>`),
    `<text x="${MARGIN.left - 6}" y="${at(y(most) + 4)}" text-anchor="end" fill="#444">${shown(most)}</text>`,
    `<text x="${MARGIN.left - 6}" y="${at(y(0) + 4)}" text-anchor="end" fill="#444">0</text>`,
    ...points
      .filter((point) => point.files >= last.files / 10)
      .map(
        (point) =>
          `<text x="${at(x(point.files))}" y="${HEIGHT - MARGIN.bottom + 16}" text-anchor="middle" fill="#444">${point.files.toLocaleString('en')}</text>`,
      ),
    `<text x="${at((MARGIN.left + WIDTH - MARGIN.right) / 2)}" y="${HEIGHT - 5}" text-anchor="middle" fill="#444">files</text>`,
  ].join('\n');
}
