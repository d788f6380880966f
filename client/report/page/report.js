// The script of the report's page: draws the pictures in the colors of the theme, and hands links to the editor.
import './language.js';
import uPlot from 'uplot';
import { showFlame } from './flame.js';

/** @typedef {import('../report-pictures.ts').TimelinePicture} TimelinePicture */
/** @typedef {import('../report-pictures.ts').TimesPicture} TimesPicture */
/** @typedef {import('../report-pictures.ts').DelayPicture} DelayPicture */
/** @typedef {import('../report-pictures.ts').HistogramPicture} HistogramPicture */
/** @typedef {import('../report-pictures.ts').SlicesPicture} SlicesPicture */
/** @typedef {import('../report-pictures.ts').CurvePicture} CurvePicture */
/** @typedef {import('../report-pictures.ts').Picture} Picture */

/** Slow to fast: from gray to green. */
const TIER_COLORS = ['--vscode-descriptionForeground', '--vscode-charts-blue', '--vscode-charts-purple', '--vscode-charts-green'];
const ROW_HEIGHT = 26;
/** Of a bar in its row. */
const BAR_SHARE = 0.55;
const AXIS_HEIGHT = 52;
/** Of a picture over time, in pixels of the page. */
const TIME_HEIGHT = 180;
/** Longest name beside a row, in pixels of the page; and the space around it. */
const LABEL = { most: 180, space: 18 };
const MARK = 7;
/** Of a dashed line, in pixels of the page. */
const DASH = 5;
/** Points of the whisker's ends, in pixels of the page. */
const WHISKER = 6;

// @ts-expect-error VS Code gives this function to its pages.
const editor = acquireVsCodeApi();

document.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const button = target?.closest('button[data-message]');
  if (button instanceof HTMLElement) return void editor.postMessage({ type: button.dataset['message'] });
  const link = target?.closest('a[data-place]');
  if (!(link instanceof HTMLElement)) return;
  // A link to `#` would go to the top of the page.
  event.preventDefault();
  editor.postMessage({ type: 'reveal', place: Number(link.dataset['place']) });
});

window.addEventListener('message', ({ data }) => {
  if (data?.type === 'stale' && typeof data.text === 'string') showStale(data.text);
});

/** @param {string} text */
function showStale(text) {
  const [words, button] = [document.querySelector('#stale p'), document.querySelector('#stale button')];
  if (!words || !(button instanceof HTMLElement)) return;
  words.textContent = text;
  button.hidden = text === '';
}

/** @param {string} name */
function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim() || getComputedStyle(document.body).color;
}

function colors() {
  return {
    text: color('--vscode-foreground'),
    grid: color('--vscode-editorIndentGuide-background1') || color('--vscode-widget-border'),
    mark: color('--vscode-editorWarning-foreground'),
    tiers: TIER_COLORS.map(color),
    line: color('--vscode-charts-blue'),
    before: color('--vscode-descriptionForeground'),
  };
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} size @param {string} fill */
function drawMark(context, x, y, size, fill) {
  context.fillStyle = fill;
  context.beginPath();
  context.moveTo(x - size, y - size * 0.7);
  context.lineTo(x + size, y - size * 0.7);
  context.lineTo(x, y + size * 0.9);
  context.closePath();
  context.fill();
}

function font() {
  const { fontFamily } = getComputedStyle(document.body);
  return `12px ${fontFamily}`;
}

/** What stands at the ends of bars. @param {CanvasRenderingContext2D} context */
function startFigures(context) {
  const { fontFamily } = getComputedStyle(document.body);
  context.font = `${12 * devicePixelRatio}px ${fontFamily}`;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
}

/** @param {readonly string[]} names @param {ReturnType<typeof colors>} theme @returns {import('uplot').Axis} */
function rowAxis(names, theme) {
  return {
    side: 3,
    scale: 'y',
    size: labelWidth(names),
    font: font(),
    stroke: theme.text,
    grid: { show: false },
    ticks: { show: false },
    splits: () => names.map((_, index) => index),
    values: () => [...names],
  };
}

/** @param {string} label @param {ReturnType<typeof colors>} theme @returns {import('uplot').Axis} */
function valueAxis(label, theme) {
  return {
    scale: 'x',
    size: 28,
    font: font(),
    stroke: theme.text,
    label,
    labelFont: font(),
    labelSize: 20,
    grid: { stroke: theme.grid, width: 1 },
    ticks: { show: false },
  };
}

/** @param {readonly string[]} names */
function labelWidth(names) {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return LABEL.most;
  context.font = font();
  return Math.min(LABEL.most, Math.max(...names.map((name) => context.measureText(name).width)) + LABEL.space);
}

/**
 * What all pictures have: a row for each name, no cursor, one series that is drawn by hand.
 * @param {readonly string[]} names
 * @param {number} width
 * @param {ReturnType<typeof colors>} theme
 */
function frameOf(names, width, theme) {
  return {
    width,
    height: names.length * ROW_HEIGHT + AXIS_HEIGHT,
    padding: /** @type {[number, number, number, number]} */ ([4, 16, 0, 0]),
    cursor: { show: false },
    select: { show: false, left: 0, top: 0, width: 0, height: 0 },
    legend: { show: false },
    series: [{}, { stroke: theme.text, width: 0, points: { show: false } }],
  };
}

/** @param {HTMLElement} place @param {TimelinePicture} picture */
function drawTimeline(place, picture) {
  const theme = colors();
  const marked = picture.marks.length > 0 ? [picture.marksName] : [];
  const names = [...picture.rows, ...marked].reverse();
  const end = picture.end || 1;
  const plot = new uPlot(
    {
      ...frameOf(names, place.clientWidth, theme),
      axes: [valueAxis(picture.axis, theme), rowAxis(names, theme)],
      scales: { x: { time: false, range: [0, end] }, y: { range: [-0.6, names.length - 0.4] } },
      hooks: {
        draw: [
          ({ ctx, valToPos }) => {
            const thickness = Math.round(ROW_HEIGHT * BAR_SHARE * devicePixelRatio);
            for (const { row, tier, from, to } of picture.bars) {
              const left = valToPos(from, 'x', true);
              ctx.fillStyle = theme.tiers[tier] ?? theme.text;
              // What lasted shorter than a pixel is still seen.
              ctx.fillRect(
                left,
                valToPos(names.length - 1 - row, 'y', true) - thickness / 2,
                Math.max(devicePixelRatio, valToPos(to, 'x', true) - left),
                thickness,
              );
            }
            for (const at of picture.marks)
              drawMark(ctx, valToPos(at, 'x', true), valToPos(0, 'y', true), MARK * devicePixelRatio, theme.mark);
          },
        ],
      },
    },
    [
      [0, end],
      [0, 0],
    ],
    place,
  );
  const used = new Set(picture.bars.map(({ tier }) => tier));
  const legend = document.createElement('div');
  legend.className = 'legend';
  for (const [tier, name] of picture.tiers.entries()) {
    if (!used.has(tier)) continue;
    const swatch = document.createElement('i');
    swatch.style.backgroundColor = theme.tiers[tier] ?? '';
    const item = document.createElement('span');
    item.append(swatch, name);
    legend.append(item);
  }
  plot.root.append(legend);
  return plot;
}

/** Values along the x axis, one row each, the first one at the top. @param {HTMLElement} place @param {TimesPicture} picture */
function drawTimes(place, picture) {
  const theme = colors();
  const runs = [...picture.runs].reverse();
  const most = Math.max(...runs.map(({ value, halfWidth }) => value + halfWidth));
  return new uPlot(
    {
      ...frameOf(
        runs.map(({ name }) => name),
        place.clientWidth,
        theme,
      ),
      scales: { x: { time: false, range: [0, most * 1.05 || 1] }, y: { range: [-0.6, runs.length - 0.4] } },
      axes: [
        { ...valueAxis(picture.axis, theme), values: (_, splits) => splits.map(nanoseconds) },
        rowAxis(
          runs.map(({ name }) => name),
          theme,
        ),
      ],
      hooks: {
        draw: [
          (plot) => {
            const { ctx } = plot;
            for (const [index, { value, halfWidth }] of runs.entries()) {
              const y = plot.valToPos(index, 'y', true);
              const [left, middle, right] = [value - halfWidth, value, value + halfWidth].map((x) =>
                plot.valToPos(Math.max(0, x), 'x', true),
              );
              const stroke = index === 0 || picture.areEqual ? theme.line : theme.before;
              const end = WHISKER * devicePixelRatio;
              ctx.strokeStyle = stroke;
              ctx.fillStyle = stroke;
              ctx.lineWidth = 2 * devicePixelRatio;
              ctx.beginPath();
              for (const x of [left ?? 0, right ?? 0]) {
                ctx.moveTo(x, y - end);
                ctx.lineTo(x, y + end);
              }
              ctx.moveTo(left ?? 0, y);
              ctx.lineTo(right ?? 0, y);
              ctx.stroke();
              ctx.beginPath();
              ctx.arc(middle ?? 0, y, end * 0.8, 0, 2 * Math.PI);
              ctx.fill();
            }
          },
        ],
      },
    },
    [
      [0, most],
      [0, 0],
    ],
    place,
  );
}

/** @param {number} ns */
function nanoseconds(ns) {
  if (ns >= 1e6) return `${ns / 1e6} ms`;
  return ns >= 1e3 ? `${ns / 1e3} µs` : `${ns} ns`;
}

/** @param {HTMLElement} place @param {DelayPicture} picture */
function drawDelay(place, picture) {
  const theme = colors();
  const bars = [...picture.bars].reverse();
  const most = Math.max(...bars.map(({ value }) => value));
  return new uPlot(
    {
      ...frameOf(
        bars.map(({ name }) => name),
        place.clientWidth,
        theme,
      ),
      // With room for the longest bar's figure.
      scales: { x: { time: false, range: [0, most * 1.15 || 1] }, y: { range: [-0.6, bars.length - 0.4] } },
      axes: [
        valueAxis(picture.axis, theme),
        rowAxis(
          bars.map(({ name }) => name),
          theme,
        ),
      ],
      hooks: {
        draw: [
          (plot) => {
            const { ctx } = plot;
            const thickness = ROW_HEIGHT * BAR_SHARE * devicePixelRatio;
            const left = plot.valToPos(0, 'x', true);
            startFigures(ctx);
            for (const [index, { value, text }] of bars.entries()) {
              const [y, right] = [plot.valToPos(index, 'y', true), plot.valToPos(value, 'x', true)];
              ctx.fillStyle = theme.line;
              ctx.fillRect(left, y - thickness / 2, right - left, thickness);
              ctx.fillStyle = theme.text;
              ctx.fillText(text, right + WHISKER * devicePixelRatio, y);
            }
          },
        ],
      },
    },
    [
      [0, most],
      [0, 0],
    ],
    place,
  );
}

/**
 * By the logarithm, so that one long block beside thousands of short turns is seen; the numbers stand at the bars.
 * @param {HTMLElement} place
 * @param {HistogramPicture} picture
 */
function drawHistogram(place, picture) {
  const theme = colors();
  const bars = [...picture.bars].reverse();
  const length = (/** @type {number} */ count) => Math.log2(1 + count);
  const most = Math.max(1, ...bars.map(({ count }) => length(count)));
  const names = bars.map(({ name }) => name);
  return new uPlot(
    {
      ...frameOf(names, place.clientWidth, theme),
      height: names.length * ROW_HEIGHT + 8,
      scales: { x: { time: false, range: [0, most * 1.25] }, y: { range: [-0.6, bars.length - 0.4] } },
      axes: [{ show: false, scale: 'x' }, rowAxis(names, theme)],
      hooks: {
        draw: [
          (plot) => {
            const { ctx } = plot;
            const thickness = ROW_HEIGHT * BAR_SHARE * devicePixelRatio;
            const left = plot.valToPos(0, 'x', true);
            startFigures(ctx);
            for (const [index, { count, text, isLong }] of bars.entries()) {
              const y = plot.valToPos(index, 'y', true);
              const right = plot.valToPos(length(count), 'x', true);
              ctx.fillStyle = isLong ? theme.mark : theme.line;
              ctx.fillRect(left, y - thickness / 2, right - left, thickness);
              ctx.fillStyle = theme.text;
              ctx.fillText(text, right + WHISKER * devicePixelRatio, y);
            }
          },
        ],
      },
    },
    [
      [0, most],
      [0, 0],
    ],
    place,
  );
}

/** @param {HTMLElement} place @param {SlicesPicture} picture */
function drawSlices(place, picture) {
  const theme = colors();
  const { slices } = picture;
  const end = slices.at(-1)?.at ?? 0;
  const most = Math.max(...slices.map(({ value }) => value));
  return new uPlot(
    {
      ...frameOf([], place.clientWidth, theme),
      height: TIME_HEIGHT,
      scales: { x: { time: false, range: [0, end || 1] }, y: { range: [0, most * 1.1 || 1] } },
      axes: [valueAxis(picture.axis, theme), { ...valueAxis(picture.valueAxis, theme), scale: 'y', side: 3, size: 48 }],
      hooks: {
        draw: [
          (plot) => {
            const { ctx } = plot;
            ctx.fillStyle = theme.line;
            const bottom = plot.valToPos(0, 'y', true);
            for (const [index, { at, value }] of slices.entries()) {
              const left = plot.valToPos(slices[index - 1]?.at ?? 0, 'x', true);
              const right = plot.valToPos(at, 'x', true);
              const top = plot.valToPos(value, 'y', true);
              ctx.fillRect(left, top, Math.max(1, right - left - devicePixelRatio), bottom - top);
            }
          },
        ],
      },
    },
    [
      [0, end],
      [0, 0],
    ],
    place,
  );
}

/** Lines differ by their dashes, too: in high contrast, colors may be alike. @param {HTMLElement} place @param {CurvePicture} picture */
function drawCurve(place, picture) {
  const theme = colors();
  const { points } = picture;
  const [first, last] = [points[0], points.at(-1)];
  const end = last?.at ?? 1;
  const most = Math.max(...points.map(({ high }) => high));
  const plot = new uPlot(
    {
      ...frameOf([], place.clientWidth, theme),
      height: TIME_HEIGHT,
      scales: { x: { time: false, range: [0, end * 1.05] }, y: { range: [0, most * 1.1 || 1] } },
      axes: [valueAxis(picture.axis, theme), { ...valueAxis(picture.valueAxis, theme), scale: 'y', side: 3, size: 56 }],
      hooks: {
        draw: [
          ({ ctx, valToPos }) => {
            const at = (/** @type {number} */ x, /** @type {number} */ y) =>
              /** @type {[number, number]} */ ([valToPos(x, 'x', true), valToPos(y, 'y', true)]);
            const slope = first ? first.value / first.at : 0;
            ctx.lineWidth = devicePixelRatio;
            ctx.strokeStyle = theme.before;
            ctx.setLineDash([DASH * devicePixelRatio, DASH * devicePixelRatio]);
            ctx.beginPath();
            ctx.moveTo(...at(0, 0));
            // Up to the edge of the picture: what grows more slowly than its input stays far below.
            const edge = slope > 0 ? Math.min(end, (most * 1.1) / slope) : end;
            ctx.lineTo(...at(edge, slope * edge));
            ctx.stroke();
            ctx.setLineDash([]);
            ctx.lineWidth = 2 * devicePixelRatio;
            ctx.strokeStyle = theme.line;
            ctx.fillStyle = theme.line;
            ctx.beginPath();
            for (const { at: x, value } of points) ctx.lineTo(...at(x, value));
            ctx.stroke();
            ctx.beginPath();
            for (const { at: x, low, high } of points) {
              ctx.moveTo(...at(x, low));
              ctx.lineTo(...at(x, high));
            }
            ctx.stroke();
            for (const { at: x, value } of points) {
              ctx.beginPath();
              ctx.arc(...at(x, value), WHISKER * 0.6 * devicePixelRatio, 0, 2 * Math.PI);
              ctx.fill();
            }
          },
        ],
      },
    },
    [
      [0, end],
      [0, 0],
    ],
    place,
  );
  const legend = document.createElement('div');
  legend.className = 'legend';
  for (const [name, text] of Object.entries(picture.legend)) {
    const line = document.createElement('i');
    line.className = `line ${name}`;
    line.style.borderTopColor = name === 'linear' ? theme.before : theme.line;
    const item = document.createElement('span');
    item.append(line, text);
    legend.append(item);
  }
  plot.root.append(legend);
  return plot;
}

/** @param {HTMLElement} place @param {Exclude<Picture, { kind: 'flame' }>} picture */
function draw(place, picture) {
  if (picture.kind === 'timeline') return drawTimeline(place, picture);
  if (picture.kind === 'histogram') return drawHistogram(place, picture);
  if (picture.kind === 'slices') return drawSlices(place, picture);
  if (picture.kind === 'curve') return drawCurve(place, picture);
  return picture.kind === 'times' ? drawTimes(place, picture) : drawDelay(place, picture);
}

/** @type {uPlot[]} */
let drawn = [];

/** What is closed has no width to be drawn in. */
function drawAll() {
  for (const plot of drawn) plot.destroy();
  drawn = [...document.querySelectorAll('[data-picture]')].flatMap((place) =>
    place instanceof HTMLElement && place.clientWidth > 0 ? [draw(place, JSON.parse(place.dataset['picture'] ?? ''))] : [],
  );
}

/** What the reader has opened stays open when the page is hidden and shown again. */
const opened = () => [...document.querySelectorAll('details[data-id][open]')].flatMap((one) => one.getAttribute('data-id') ?? []);

for (const id of editor.getState()?.opened ?? [])
  document.querySelector(`details[data-id="${CSS.escape(String(id))}"]`)?.setAttribute('open', '');
for (const details of document.querySelectorAll('details[data-id]'))
  details.addEventListener('toggle', () => {
    editor.setState({ opened: opened() });
    drawAll();
  });

for (const tree of document.querySelectorAll('[data-flame]')) if (tree instanceof HTMLElement) showFlame(tree);
drawAll();
editor.postMessage({ type: 'ready' });
// VS Code writes a new theme's colors and names it at the body; then they are another's.
new MutationObserver(drawAll).observe(document.body, { attributes: true, attributeFilter: ['data-vscode-theme-id', 'class'] });
let width = document.body.clientWidth;
new ResizeObserver(() => {
  if (document.body.clientWidth === width) return;
  width = document.body.clientWidth;
  drawAll();
}).observe(document.body);
