// The script of the report's page: draws the pictures in the colours of the theme, and hands links to the editor.
import uPlot from 'uplot';

/** @typedef {import('../report-pictures.ts').TimelinePicture} TimelinePicture */
/** @typedef {import('../report-pictures.ts').TimesPicture} TimesPicture */
/** @typedef {import('../report-pictures.ts').DelayPicture} DelayPicture */
/** @typedef {import('../report-pictures.ts').Picture} Picture */

const LINE_COLORS = ['--vscode-charts-blue', '--vscode-charts-green', '--vscode-charts-purple', '--vscode-charts-orange', '--vscode-charts-yellow', '--vscode-charts-foreground'];
const ROW_HEIGHT = 30;
const AXIS_HEIGHT = 52;
const LABEL_WIDTH = 92;
const MARK = 7;
/** Lines on the same row would hide each other, in rows. */
const LINE_SHIFT = 0.09;
/** Points of the whisker's ends, in pixels of the page. */
const WHISKER = 6;

// @ts-expect-error VS Code gives this function to its pages.
const editor = acquireVsCodeApi();

document.addEventListener('click', ({ target }) => {
  const link = target instanceof Element ? target.closest('a[data-place]') : null;
  if (link instanceof HTMLElement) editor.postMessage({ type: 'reveal', place: Number(link.dataset['place']) });
});

/** @param {string} name */
function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim() || getComputedStyle(document.body).color;
}

function colors() {
  return {
    text: color('--vscode-foreground'), grid: color('--vscode-editorIndentGuide-background1') || color('--vscode-widget-border'),
    mark: color('--vscode-editorWarning-foreground'), lines: LINE_COLORS.map(color), back: color('--vscode-editor-background'),
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

/** @param {readonly string[]} names @param {ReturnType<typeof colors>} theme @returns {import('uplot').Axis} */
function rowAxis(names, theme) {
  return {
    side: 3, scale: 'y', size: LABEL_WIDTH, font: font(), stroke: theme.text, grid: { stroke: theme.grid, width: 1 }, ticks: { show: false },
    splits: () => names.map((_, index) => index), values: () => [...names],
  };
}

/** @param {string} label @param {ReturnType<typeof colors>} theme @returns {import('uplot').Axis} */
function valueAxis(label, theme) {
  return { scale: 'x', size: 28, font: font(), stroke: theme.text, label, labelFont: font(), labelSize: 20, grid: { stroke: theme.grid, width: 1 }, ticks: { show: false } };
}

/** @param {number} rows @param {number} width */
function sizeOf(rows, width) {
  return { width, height: rows * ROW_HEIGHT + AXIS_HEIGHT };
}

/** @param {HTMLElement} place @param {TimelinePicture} picture */
function drawTimeline(place, picture) {
  const theme = colors();
  // One row of times for all: each function has its step or nothing at each of them.
  const times = [...new Set([0, picture.end, ...picture.functions.flatMap(({ steps }) => steps.map(({ at }) => at))])].sort((a, b) => a - b);
  const rows = picture.functions.map(({ steps }, index) => times.map((time) => {
    const step = steps.filter(({ at }) => at <= time).at(-1);
    return step ? step.row + index * LINE_SHIFT : null;
  }));
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  const padding = (picture.end || 1) * 0.03;
  return new uPlot({
    ...sizeOf(picture.rows.length, place.clientWidth), padding: [8, 16, 0, 0],
    cursor: { show: false }, select: { show: false, left: 0, top: 0, width: 0, height: 0 },
    legend: { show: picture.functions.length > 1, live: false },
    scales: { x: { time: false, range: [-padding, (picture.end || 1) + padding] }, y: { range: [-0.6, picture.rows.length - 0.4] } },
    axes: [valueAxis(picture.axis, theme), rowAxis(picture.rows, theme)],
    series: [{}, ...picture.functions.map(({ name }, index) => ({ label: name, stroke: theme.lines[index % theme.lines.length], width: 2.5, paths: stepped, points: { show: true, size: 7, fill: theme.lines[index % theme.lines.length] } }))],
    hooks: {
      draw: [(plot) => {
        for (const at of picture.marks) drawMark(plot.ctx, plot.valToPos(at, 'x', true), plot.valToPos(0, 'y', true), MARK * devicePixelRatio, theme.mark);
      }],
    },
  }, [times, ...rows], place);
}

/** Values along the x axis, one row each, the first one at the top. @param {HTMLElement} place @param {TimesPicture} picture */
function drawTimes(place, picture) {
  const theme = colors();
  const runs = [...picture.runs].reverse();
  const most = Math.max(...runs.map(({ value, halfWidth }) => value + halfWidth));
  return new uPlot({
    ...sizeOf(runs.length, place.clientWidth), padding: [8, 16, 0, 0], cursor: { show: false }, select: { show: false, left: 0, top: 0, width: 0, height: 0 }, legend: { show: false },
    scales: { x: { time: false, range: [0, most * 1.05 || 1] }, y: { range: [-0.6, runs.length - 0.4] } },
    axes: [{ ...valueAxis(picture.axis, theme), values: (_, splits) => splits.map(nanoseconds) }, rowAxis(runs.map(({ name }) => name), theme)],
    series: [{}, { stroke: 'transparent', points: { show: false } }],
    hooks: {
      draw: [(plot) => {
        const { ctx } = plot;
        for (const [index, { value, halfWidth }] of runs.entries()) {
          const y = plot.valToPos(index, 'y', true);
          const [left, middle, right] = [value - halfWidth, value, value + halfWidth].map((x) => plot.valToPos(Math.max(0, x), 'x', true));
          const stroke = (index === 0 ? theme.lines[0] : theme.lines[2]) ?? theme.text;
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
      }],
    },
  }, [[0, most], [0, 0]], place);
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
  return new uPlot({
    ...sizeOf(bars.length, place.clientWidth), padding: [8, 16, 0, 0], cursor: { show: false }, select: { show: false, left: 0, top: 0, width: 0, height: 0 }, legend: { show: false },
    scales: { x: { time: false, range: [0, most * 1.05 || 1] }, y: { range: [-0.6, bars.length - 0.4] } },
    axes: [valueAxis(picture.axis, theme), rowAxis(bars.map(({ name }) => name), theme)],
    series: [{}, { stroke: 'transparent', points: { show: false } }],
    hooks: {
      draw: [(plot) => {
        const { ctx } = plot;
        const thickness = ROW_HEIGHT * 0.55 * devicePixelRatio;
        const left = plot.valToPos(0, 'x', true);
        ctx.fillStyle = theme.lines[0] ?? theme.text;
        for (const [index, { value }] of bars.entries()) ctx.fillRect(left, plot.valToPos(index, 'y', true) - thickness / 2, plot.valToPos(value, 'x', true) - left, thickness);
      }],
    },
  }, [[0, most], [0, 0]], place);
}

/** @param {HTMLElement} place @param {Picture} picture */
function draw(place, picture) {
  if (picture.kind === 'timeline') return drawTimeline(place, picture);
  return picture.kind === 'times' ? drawTimes(place, picture) : drawDelay(place, picture);
}

/** @type {uPlot[]} */
let drawn = [];

function drawAll() {
  for (const plot of drawn) plot.destroy();
  drawn = [...document.querySelectorAll('[data-picture]')].flatMap((place) => (place instanceof HTMLElement ? [draw(place, JSON.parse(place.dataset['picture'] ?? ''))] : []));
}

drawAll();
// VS Code writes a new theme's colours and names it at the body; then they are another's.
new MutationObserver(drawAll).observe(document.body, { attributes: true, attributeFilter: ['data-vscode-theme-id', 'class'] });
let width = document.body.clientWidth;
new ResizeObserver(() => {
  if (document.body.clientWidth === width) return;
  width = document.body.clientWidth;
  drawAll();
}).observe(document.body);
