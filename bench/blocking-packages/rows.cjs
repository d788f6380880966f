// What is measured: a call with a text as long as a request has it. Each row gives the function to time. Tables: exports.cjs.
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { exportsOf } = require('./exports.cjs');

const KB = 1024;

/** A page of posts, at least as long as it says. */
function page(bytes) {
  let text = '<!doctype html><html><head><title>Page</title></head><body>';
  for (let i = 0; text.length < bytes; i += 1)
    text += `<div class="row post" id="p${i}"><h2><a href="/posts/${i}?a=1&amp;b=2">Post number ${i}</a></h2><p>Lorem ipsum <b>dolor</b> sit amet, <em>consectetur</em> adipiscing elit &mdash; sed do <a href="https://example.org/${i}">eiusmod</a>.</p><ul><li>One</li><li>Two</li></ul><img src="/i/${i}.png" alt="x" onerror="alert(1)"></div>\n`;
  return `${text}</body></html>`;
}

function code(bytes) {
  let text = '';
  for (let i = 0; text.length < bytes; i += 1)
    text += `// Adds up what row ${i} costs.\nasync function total${i}(rows, { tax = 0.2 } = {}) {\n  const prices = rows.filter((row) => row.kind === 'item' && !row.hidden);\n  for (const { price, count } of prices) sum += price * count;\n  return \`\${sum * (1 + tax)} EUR\`;\n}\n`;
  return text.slice(0, bytes);
}

/** A README: headings, text, lists, tables, and a block of 300 bytes of code for each 1.2 KB. */
function readme(bytes) {
  let text = '# A package\n\n';
  for (let i = 0; text.length < bytes; i += 1)
    text += `## Part ${i}\n\nIt takes \`options\`, as [described](https://example.org/${i}), and returns a **promise** for _what was asked_ of it.\nMore text follows, so that the paragraph has the length of one that somebody wrote.\n\n- one item with \`code\`\n- another one, with a [link](#part-${i})\n- a third\n\n| option | default | |\n|--|--|--|\n| \`a\` | 1 | what it does |\n| \`b\` | 2 | what it does |\n\n\`\`\`js\n${code(300)}\n\`\`\`\n\n`;
  return text;
}

/** A card as bots and link previews have it: a gradient, 200 dots, a line of text. */
function card(load, width, height) {
  const canvas = load('@napi-rs/canvas').createCanvas(width, height);
  const context = canvas.getContext('2d');
  const gradient = context.createLinearGradient(0, 0, width, height);
  gradient.addColorStop(0, '#112233');
  gradient.addColorStop(1, '#ffaa33');
  context.fillStyle = gradient;
  context.fillRect(0, 0, width, height);
  context.fillStyle = '#ffffff';
  for (let i = 0; i < 200; i += 1) {
    context.beginPath();
    context.arc((i * 997) % width, (i * 613) % height, 10, 0, 7);
    context.fill();
  }
  context.font = '40px sans-serif';
  context.fillText('Welcome to the server', 50, 100);
  return canvas;
}

/** Rows as people export them, with a quoted name. */
function table(bytes) {
  let text = 'id,name,email,amount,date,note\n';
  for (let i = 0; text.length < bytes; i += 1)
    text += `${i},"Name, ${i}",user${i}@example.org,${i * 3.25},2026-01-0${(i % 9) + 1},a short note\n`;
  return text;
}

function yaml(bytes) {
  let text = '';
  for (let i = 0; text.length < bytes; i += 1)
    text += `- id: ${i}\n  name: "Name ${i}"\n  tags: [a, b]\n  nested:\n    x: 1\n    y: text\n`;
  return text;
}

/** A picture of jimp, in version 1 or 0.22: colors that change everywhere, as in a photo. */
function photo(load, version, width, height) {
  const Jimp = version === 1 ? load('jimp').Jimp : load('jimp-0');
  const image = version === 1 ? new Jimp({ width, height }) : new Jimp(width, height);
  const { data } = image.bitmap;
  for (let y = 0, at = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, at += 4) {
      data[at] = (255 * x) / width;
      data[at + 1] = (255 * y) / height;
      data[at + 2] = 128 + 100 * Math.sin(x / 9) * Math.sin(y / 7);
      data[at + 3] = 255;
    }
  return image;
}

/** RGBA of a picture as a photo is: soft shapes in many colors, and some noise. 400 × 300 pixels have about 3,500 colors of 16 bits. */
function pixels(width, height) {
  const CELL = 40;
  const columns = Math.ceil(width / CELL) + 2;
  let seed = 1;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const grid = () => Float64Array.from({ length: columns * (Math.ceil(height / CELL) + 2) }, random);
  const [light, ...colors] = [grid(), grid(), grid(), grid()];
  const at = (values, x, y) => {
    const [column, row] = [Math.floor(x / CELL), Math.floor(y / CELL)];
    const [right, down] = [x / CELL - column, y / CELL - row];
    const first = row * columns + column;
    const upper = values[first] * (1 - right) + values[first + 1] * right;
    return upper * (1 - down) + (values[first + columns] * (1 - right) + values[first + columns + 1] * right) * down;
  };
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0, to = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, to += 4) {
      for (const [i, color] of colors.entries()) data[to + i] = 200 * at(light, x, y) + 60 * at(color, x, y) + 6 * (random() - 0.5);
      data[to + 3] = 255;
    }
  return data;
}

/** Items of a feed or an order, as XML. */
function xml(bytes) {
  let text = '<?xml version="1.0" encoding="UTF-8"?>\n<items>\n';
  for (let i = 0; text.length < bytes; i += 1)
    text += `  <item id="${i}" kind="a"><title>Item number ${i}</title><link>https://example.org/items/${i}?a=1&amp;b=2</link><price currency="EUR">${i * 3.25}</price><tags><tag>one</tag><tag>two</tag></tags></item>\n`;
  return `${text}</items>`;
}

function css(bytes) {
  let text = '';
  for (let i = 0; text.length < bytes; i += 1)
    text += `.card-${i} > .title, .card-${i}:hover a {\n  color: #33445${i % 10};\n  margin: 0 auto ${i}px;\n  transition: color 0.2s ease-in-out;\n}\n@media (max-width: ${i}px) { .card-${i} { display: none } }\n`;
  return text;
}

/** A newsletter. */
function mjml(sections) {
  let text = '<mjml><mj-head><mj-title>News</mj-title></mj-head><mj-body>';
  for (let i = 0; i < sections; i += 1)
    text += `<mj-section><mj-column><mj-image width="100px" src="https://example.org/${i}.png"></mj-image><mj-text>Dear reader ${i}, lorem ipsum dolor sit amet.</mj-text><mj-button href="https://example.org/${i}">Read more</mj-button></mj-column></mj-section>`;
  return `${text}</mj-body></mjml>`;
}

/** People, as a list to search in. */
function people(count) {
  return Array.from({ length: count }, (_, i) => ({
    name: `Person ${(i * 7919) % count} of the list`,
    email: `user${i}@example.org`,
    city: ['Berlin', 'Paris', 'New York', 'Buenos Aires'][i % 4],
  }));
}

const MAIL_ROW =
  '<tr><td style="padding:0;margin:0;font-family:Helvetica,Arial,sans-serif;font-size:14px;line-height:20px">Dear {{name}}, {{#if price}}{{price}}{{else}}none{{/if}}</td></tr>\n';
const VIEW = { name: 'n', title: 't', price: 1, rows: [{ kind: 'k', name: 'n', price: 1 }] };
const PAGE_TEMPLATE = `<ul>{{#each rows}}<li class="{{kind}}">{{name}}: {{price}}</li>{{/each}}</ul>${'<p>{{title}}</p>\n'.repeat(20)}`;

/** @param load requires a package */
exports.rowsOf = (load) => {
  const purifier = () => load('dompurify')(new (load('jsdom').JSDOM)('').window);
  const isomorphic = () => load('isomorphic-dompurify').default ?? load('isomorphic-dompurify');
  const MarkdownIt = () => load('markdown-it').default ?? load('markdown-it');
  const highlighting = (auto) => {
    const hljs = load('highlight.js');
    return new (MarkdownIt())({
      highlight: (text, language) => (auto ? hljs.highlightAuto(text) : hljs.highlight(text, { language })).value,
    });
  };
  // Handlebars compiles at the first call of the template. Each text is another one.
  const handlebars = (template) => () => {
    const { compile } = load('handlebars');
    let turn = 0;
    return () => compile(`${template}${(turn += 1)}`)(VIEW);
  };
  const isolate = () => new (load('isolated-vm').Isolate)();
  const onText = (make, text) => () => {
    const work = make();
    return () => work(text);
  };
  const cheerio = () => load('cheerio').load;
  const dom = () => {
    const { JSDOM } = load('jsdom');
    return (text) => new JSDOM(text);
  };
  const sanitize = (make) => () => {
    const it = make();
    return (text) => it.sanitize(text);
  };
  const markdown = (make) => () => {
    const it = make();
    return (text) => it.render(text);
  };
  const hljs = (name, work) => () => {
    const it = load(name);
    return (text) => work(it, text);
  };
  const js = (it, text) => it.highlight(text, { language: 'javascript' });
  const auto = (it, text) => it.highlightAuto(text);
  const picture = (type, width, height) => () => {
    const canvas = card(load, width, height);
    return () => canvas.toBuffer(type);
  };
  const jimp = (version, width, height, work) => () => {
    const image = photo(load, version, width, height);
    const small = photo(load, version, 200, 200);
    return () => work(image, small);
  };
  const resize = { 0: (image) => image.clone().resize(256, 256), 1: (image) => image.clone().resize({ w: 256, h: 256 }) };
  // It has computed before it returns its promise.
  const encode = { 0: (image) => void image.getBufferAsync('image/png'), 1: (image) => void image.getBuffer('image/png') };
  const composite = (image, small) => image.composite(small, 10, 10);
  // The decoder that `Jimp.read` calls, in a later turn.
  const decode = (width, height) => async () => {
    const bytes = await photo(load, 1, width, height).getBuffer('image/png');
    const png = load('@jimp/js-png').default();
    return () => png.decode(bytes);
  };
  const fromFile = (bytes) => () => {
    const { MessageMedia } = load('whatsapp-web.js');
    const folder = mkdtempSync(join(tmpdir(), 'rows-'));
    process.on('exit', () => rmSync(folder, { recursive: true }));
    const file = join(folder, 'video.mp4');
    writeFileSync(file, Buffer.alloc(bytes, 7));
    return () => MessageMedia.fromFilePath(file);
  };
  const csv = (version) => () => {
    const parse = version === 7 ? load('csv-parse/sync').parse : load('csv-parse-4/lib/sync');
    return (text) => parse(text, { columns: true });
  };
  const papa = () => (text) => load('papaparse').parse(text, { header: true });
  const toText = () => (text) => load('html-to-text').convert(text);
  /** With a key that was read before, or from its PEM each time, as `process.env` has it. */
  const keysOf = (algorithm, bits, asPem) => {
    const { generateKeyPairSync } = require('node:crypto');
    if (algorithm === 'HS256') return { privateKey: 'secret', publicKey: 'secret' };
    const pair =
      algorithm === 'ES512' ? generateKeyPairSync('ec', { namedCurve: 'P-521' }) : generateKeyPairSync('rsa', { modulusLength: bits });
    if (!asPem) return pair;
    return {
      privateKey: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      publicKey: pair.publicKey.export({ type: 'spki', format: 'pem' }),
    };
  };
  const signed =
    (algorithm, bits = 2048, asPem = false) =>
    () => {
      const { privateKey } = keysOf(algorithm, bits, asPem);
      return () => load('jsonwebtoken').sign({ user: 1 }, privateKey, { algorithm });
    };
  const verified =
    (algorithm, bits = 2048, asPem = false) =>
    () => {
      const { privateKey, publicKey } = keysOf(algorithm, bits, asPem);
      const token = load('jsonwebtoken').sign({ user: 1 }, privateKey, { algorithm });
      return () => load('jsonwebtoken').verify(token, publicKey, { algorithms: [algorithm] });
    };
  /** A card has few colors, a photo many. */
  const cardPixels = (width, height) => card(load, width, height).getContext('2d').getImageData(0, 0, width, height).data;
  const gif =
    (width, height, work, make = cardPixels) =>
    () => {
      const it = load('gifenc');
      const data = make(width, height);
      const palette = it.quantize(data, 256);
      return () => work(it, data, palette);
    };
  const quantize = (it, data) => it.quantize(data, 256);
  const applyPalette = (it, data, palette) => it.applyPalette(data, palette);
  const writeFrame = (width, height) => () => {
    const { applyPalette: apply, GIFEncoder, quantize: reduce } = load('gifenc');
    const data = cardPixels(width, height);
    const palette = reduce(data, 256);
    const index = apply(data, palette);
    return () => GIFEncoder().writeFrame(index, width, height, { palette });
  };
  const addFrame = (name, width, height) => () => {
    const Encoder = load(name);
    const data = cardPixels(width, height);
    return () => {
      const encoder = new Encoder(width, height);
      encoder.start();
      encoder.addFrame(data);
    };
  };
  const imageData = (width, height) => () => {
    const context = card(load, width, height).getContext('2d');
    return () => context.getImageData(0, 0, width, height);
  };
  /** An archive with the bytes of one entry. */
  const zipOf = (bytes) => {
    const AdmZip = load('adm-zip');
    const zip = new AdmZip();
    zip.addFile('a.csv', Buffer.from(table(bytes)));
    return new AdmZip(zip.toBuffer());
  };
  const zip = (bytes, work) => () => {
    const archive = zipOf(bytes);
    return () => work(archive);
  };
  const getData = (archive) => archive.getEntries()[0].getData();
  const zipEntries = (count) => () => {
    const AdmZip = load('adm-zip');
    const archive = new AdmZip();
    for (let i = 0; i < count; i += 1) archive.addFile(`folder/file-${i}.txt`, Buffer.from(`text ${i}`));
    const bytes = archive.toBuffer();
    return () => new AdmZip(bytes).getEntries();
  };
  const xmlParser = () => {
    const parser = new (load('fast-xml-parser').XMLParser)({ ignoreAttributes: false });
    return (text) => parser.parse(text);
  };
  const xmlBuilder = (bytes) => () => {
    const { XMLBuilder, XMLParser } = load('fast-xml-parser');
    const tree = new XMLParser({ ignoreAttributes: false }).parse(xml(bytes));
    const builder = new XMLBuilder({ ignoreAttributes: false });
    return () => builder.build(tree);
  };
  const xmlJs = (name) => () => (text) => load('xml-js')[name](text, { compact: true });
  const xmlFrom = (bytes) => () => {
    const it = load('xml-js');
    const tree = it.xml2js(xml(bytes), { compact: true });
    return () => it.js2xml(tree, { compact: true });
  };
  const parseString = () => (text) =>
    load('xml2js').parseString(text, (error) => {
      if (error) throw error;
    });
  const turndown = () => {
    const it = new (load('turndown'))();
    return (text) => it.turndown(text);
  };
  // It has computed before it returns its promise.
  const newsletter = () => (text) => void load('mjml')(text);
  const search = (count) => () => {
    const fuse = new (load('fuse.js').default ?? load('fuse.js'))(people(count), { keys: ['name', 'email', 'city'] });
    return () => fuse.search('person 77 lst');
  };
  const fuse = (count) => () => {
    const Fuse = load('fuse.js').default ?? load('fuse.js');
    const list = people(count);
    return () => new Fuse(list, { keys: ['name', 'email', 'city'] });
  };
  const miniSearch = (count) => () => {
    const list = people(count).map((one, id) => ({ id, ...one }));
    const made = () => new (load('minisearch').default ?? load('minisearch'))({ fields: ['name', 'email', 'city'] });
    return { list, made };
  };
  const addAll = (count) => () => {
    const { list, made } = miniSearch(count)();
    return () => made().addAll(list);
  };
  const findFuzzy = (count) => () => {
    const { list, made } = miniSearch(count)();
    const index = made();
    index.addAll(list);
    return () => index.search('person 77 lst', { prefix: true, fuzzy: 0.2 });
  };
  const scan = (width, height) => () => {
    const jsQR = load('jsqr').default ?? load('jsqr');
    const data = pixels(width, height);
    return () => jsQR(data, width, height);
  };
  const inContext = (source) => () => {
    const vm = require('node:vm');
    return () => vm.runInNewContext(source, { a: 1 }, { timeout: 1000 });
  };
  return {
    'bcryptjs.hashSync, cost 5': () => () => load('bcryptjs').hashSync('correct horse', 5),
    'bcryptjs.hashSync, cost 7': () => () => load('bcryptjs').hashSync('correct horse', 7),
    'bcryptjs.hashSync, cost 10': () => () => load('bcryptjs').hashSync('correct horse', 10),
    'cheerio.load, 20 KB': onText(cheerio, page(20 * KB)),
    'cheerio.load, 100 KB': onText(cheerio, page(100 * KB)),
    'cheerio.load, 300 KB': onText(cheerio, page(300 * KB)),
    "new JSDOM('')": onText(dom, ''),
    'new JSDOM, 1 KB': onText(dom, page(KB)),
    'new JSDOM, 20 KB': onText(dom, page(20 * KB)),
    'new JSDOM, 100 KB': onText(dom, page(100 * KB)),
    'DOMPurify.sanitize, 1 KB': onText(sanitize(purifier), page(KB)),
    'DOMPurify.sanitize, 10 KB': onText(sanitize(purifier), page(10 * KB)),
    'isomorphic-dompurify.sanitize, 1 KB': onText(sanitize(isomorphic), page(KB)),
    'isomorphic-dompurify.sanitize, 10 KB': onText(sanitize(isomorphic), page(10 * KB)),
    'handlebars.compile and first call, 1 line': handlebars('Hello {{name}}, your code is {{price}}.'),
    'handlebars.compile and first call, 25 lines': handlebars(PAGE_TEMPLATE),
    'handlebars.compile and first call, mail of 20 KB': handlebars(MAIL_ROW.repeat(Math.ceil((20 * KB) / MAIL_ROW.length))),
    'hljs.highlight, 300 bytes': onText(hljs('highlight.js', js), code(300)),
    'hljs.highlight, 2 KB': onText(hljs('highlight.js', js), code(2 * KB)),
    'hljs.highlightAuto, 300 bytes': onText(hljs('highlight.js', auto), code(300)),
    'hljs.highlightAuto, 2 KB': onText(hljs('highlight.js', auto), code(2 * KB)),
    'hljs.highlightAuto of lib/common, 300 bytes': onText(hljs('highlight.js/lib/common', auto), code(300)),
    'hljs.highlightAuto of lib/common, 2 KB': onText(hljs('highlight.js/lib/common', auto), code(2 * KB)),
    'markdown-it.render, 5 KB': onText(
      markdown(() => new (MarkdownIt())()),
      readme(5 * KB),
    ),
    'markdown-it.render, 20 KB': onText(
      markdown(() => new (MarkdownIt())()),
      readme(20 * KB),
    ),
    'markdown-it.render with hljs.highlight, 5 KB': onText(
      markdown(() => highlighting(false)),
      readme(5 * KB),
    ),
    'markdown-it.render with hljs.highlight, 20 KB': onText(
      markdown(() => highlighting(false)),
      readme(20 * KB),
    ),
    'markdown-it.render with hljs.highlightAuto, 5 KB': onText(
      markdown(() => highlighting(true)),
      readme(5 * KB),
    ),
    'marked.parse, 5 KB': onText(() => load('marked').parse, readme(5 * KB)),
    'marked.parse, 20 KB': onText(() => load('marked').parse, readme(20 * KB)),
    'Prism.highlight, 2 KB': onText(
      () => {
        const prism = load('prismjs');
        return (text) => prism.highlight(text, prism.languages.javascript, 'javascript');
      },
      code(2 * KB),
    ),
    'shiki codeToHtml, 2 KB': async () => {
      const { createHighlighter } = await import(require('node:url').pathToFileURL(load.resolve('shiki')).href);
      const highlighter = await createHighlighter({ themes: ['nord'], langs: ['javascript'] });
      return () => highlighter.codeToHtml(code(2 * KB), { lang: 'javascript', theme: 'nord' });
    },
    'canvas.toBuffer, PNG of 400 × 200': picture('image/png', 400, 200),
    'canvas.toBuffer, PNG of 1200 × 630': picture('image/png', 1200, 630),
    'canvas.toBuffer, JPEG of 1200 × 630': picture('image/jpeg', 1200, 630),
    'Jimp#resize, 512 × 512 to 256 × 256': jimp(1, 512, 512, resize[1]),
    'Jimp#resize of jimp 0.22, 512 × 512 to 256 × 256': jimp(0, 512, 512, resize[0]),
    'Jimp#composite, 200 × 200': jimp(1, 1024, 1024, composite),
    'Jimp#composite of jimp 0.22, 200 × 200': jimp(0, 1024, 1024, composite),
    'Jimp#getBuffer, PNG of 256 × 256': jimp(1, 256, 256, encode[1]),
    'Jimp#getBufferAsync of jimp 0.22, PNG of 256 × 256': jimp(0, 256, 256, encode[0]),
    'Jimp#getBuffer, PNG of 1024 × 1024': jimp(1, 1024, 1024, encode[1]),
    'Jimp#getBufferAsync of jimp 0.22, PNG of 1024 × 1024': jimp(0, 1024, 1024, encode[0]),
    'Jimp.read, PNG of 256 × 256': decode(256, 256),
    'Jimp.read, PNG of 1024 × 1024': decode(1024, 1024),
    'MessageMedia.fromFilePath, 1 MB': fromFile(1e6),
    'MessageMedia.fromFilePath, 16 MB': fromFile(16e6),
    'linkedom.parseHTML, 20 KB': onText(() => load('linkedom').parseHTML, page(20 * KB)),
    'linkedom.parseHTML, 100 KB': onText(() => load('linkedom').parseHTML, page(100 * KB)),
    'html-to-text.convert, 1 KB': onText(toText, page(KB)),
    'html-to-text.convert, 20 KB': onText(toText, page(20 * KB)),
    'csv-parse, 20 KB': onText(csv(7), table(20 * KB)),
    'csv-parse, 100 KB': onText(csv(7), table(100 * KB)),
    'csv-parse 4, 100 KB': onText(csv(4), table(100 * KB)),
    'Papa.parse, 20 KB': onText(papa, table(20 * KB)),
    'Papa.parse, 100 KB': onText(papa, table(100 * KB)),
    'yaml.parse, 5 KB': onText(() => load('yaml').parse, yaml(5 * KB)),
    'yaml.parse, 20 KB': onText(() => load('yaml').parse, yaml(20 * KB)),
    'js-yaml.load, 5 KB': onText(() => load('js-yaml').load, yaml(5 * KB)),
    'js-yaml.load, 20 KB': onText(() => load('js-yaml').load, yaml(20 * KB)),
    'jsonwebtoken.sign, HS256': signed('HS256'),
    'jsonwebtoken.sign, RS256 with 2048 bits': signed('RS256'),
    'jsonwebtoken.sign, RS256 with a PEM of 2048 bits': signed('RS256', 2048, true),
    'jsonwebtoken.sign, RS256 with a PEM of 4096 bits': signed('RS256', 4096, true),
    'jsonwebtoken.sign, ES512 with a PEM': signed('ES512', 0, true),
    'jsonwebtoken.verify, RS256 with a PEM of 2048 bits': verified('RS256', 2048, true),
    'gifenc.quantize, 400 × 300': gif(400, 300, quantize),
    'gifenc.quantize, 800 × 600': gif(800, 600, quantize),
    'gifenc.quantize of a photo, 400 × 300': gif(400, 300, quantize, pixels),
    'gifenc.applyPalette, 400 × 300': gif(400, 300, applyPalette),
    'gifenc.applyPalette, 800 × 600': gif(800, 600, applyPalette),
    'GIFEncoder#writeFrame of gifenc, 400 × 300': writeFrame(400, 300),
    'GIFEncoder#writeFrame of gifenc, 800 × 600': writeFrame(800, 600),
    'gifencoder addFrame, 400 × 300': addFrame('gifencoder', 400, 300),
    'gifencoder addFrame, 800 × 600': addFrame('gifencoder', 800, 600),
    'gif-encoder-2 addFrame, 400 × 300': addFrame('gif-encoder-2', 400, 300),
    'gif-encoder-2 addFrame, 800 × 600': addFrame('gif-encoder-2', 800, 600),
    'getImageData of @napi-rs/canvas, 400 × 300': imageData(400, 300),
    'getImageData of @napi-rs/canvas, 1200 × 630': imageData(1200, 630),
    'new AdmZip and getEntries, 100 entries': zipEntries(100),
    'new AdmZip and getEntries, 1,000 entries': zipEntries(1000),
    'adm-zip getData, 20 KB': zip(20 * KB, getData),
    'adm-zip getData, 100 KB': zip(100 * KB, getData),
    'adm-zip getData, 1 MB': zip(1000 * KB, getData),
    'adm-zip readAsText, 100 KB': zip(100 * KB, (it) => it.readAsText('a.csv')),
    'adm-zip readAsText, 1 MB': zip(1000 * KB, (it) => it.readAsText('a.csv')),
    'XMLParser#parse of fast-xml-parser, 5 KB': onText(xmlParser, xml(5 * KB)),
    'XMLParser#parse of fast-xml-parser, 20 KB': onText(xmlParser, xml(20 * KB)),
    'XMLParser#parse of fast-xml-parser, 100 KB': onText(xmlParser, xml(100 * KB)),
    'XMLBuilder#build of fast-xml-parser, 20 KB': xmlBuilder(20 * KB),
    'XMLBuilder#build of fast-xml-parser, 100 KB': xmlBuilder(100 * KB),
    'xml-js.xml2js, 20 KB': onText(xmlJs('xml2js'), xml(20 * KB)),
    'xml-js.xml2js, 100 KB': onText(xmlJs('xml2js'), xml(100 * KB)),
    'xml-js.xml2json, 20 KB': onText(xmlJs('xml2json'), xml(20 * KB)),
    'xml-js.xml2json, 100 KB': onText(xmlJs('xml2json'), xml(100 * KB)),
    'xml-js.js2xml, 100 KB': xmlFrom(100 * KB),
    'xml2js.parseString, 5 KB': onText(parseString, xml(5 * KB)),
    'xml2js.parseString, 20 KB': onText(parseString, xml(20 * KB)),
    'xml2js.parseString, 100 KB': onText(parseString, xml(100 * KB)),
    'turndown, 1 KB': onText(turndown, page(KB)),
    'turndown, 20 KB': onText(turndown, page(20 * KB)),
    'turndown, 100 KB': onText(turndown, page(100 * KB)),
    'mjml, 2 sections': onText(newsletter, mjml(2)),
    'mjml, 10 sections': onText(newsletter, mjml(10)),
    'node-html-parser.parse, 20 KB': onText(() => load('node-html-parser').parse, page(20 * KB)),
    'node-html-parser.parse, 100 KB': onText(() => load('node-html-parser').parse, page(100 * KB)),
    'sanitize-html, 1 KB': onText(() => load('sanitize-html'), page(KB)),
    'sanitize-html, 10 KB': onText(() => load('sanitize-html'), page(10 * KB)),
    'sanitize-html, 20 KB': onText(() => load('sanitize-html'), page(20 * KB)),
    'postcss.parse, 20 KB': onText(() => load('postcss').parse, css(20 * KB)),
    'postcss.parse, 100 KB': onText(() => load('postcss').parse, css(100 * KB)),
    'fuse.js search, 100 items': search(100),
    'fuse.js search, 1,000 items': search(1000),
    'new Fuse, 1,000 items': fuse(1000),
    'MiniSearch#addAll, 100 items': addAll(100),
    'MiniSearch#addAll, 1,000 items': addAll(1000),
    'MiniSearch#search, 1,000 items': findFuzzy(1000),
    'jsqr, 400 × 300': scan(400, 300),
    'jsqr, 1200 × 900': scan(1200, 900),
    'vm.runInNewContext, 1 + 1': inContext('1 + 1'),
    'vm.runInNewContext, a loop of 10 million': inContext('let s = 0; for (let i = 0; i < 1e7; i++) s += i % 7; s'),
    ...exportsOf(load, (width, height) => card(load, width, height).toBuffer('image/png')),
    'Isolate#createContextSync': () => {
      const it = isolate();
      return () => it.createContextSync().release();
    },
    'Isolate#compileScriptSync, 20 KB': () => {
      const it = isolate();
      let turn = 0;
      return () => it.compileScriptSync(`${code(20 * KB)}\n;${(turn += 1)}`);
    },
    'Reference#setSync': () => {
      const context = isolate().createContextSync();
      return () => context.global.setSync('a', 1);
    },
    'Script#runSync, 1 + 1': () => {
      const it = isolate();
      const context = it.createContextSync();
      const script = it.compileScriptSync('1 + 1');
      return () => script.runSync(context);
    },
    'Context#evalSync, a loop of 10 million': () => {
      const context = isolate().createContextSync();
      return () =>
        context.evalSync('let s = 0; for (let i = 0; i < 1e7; i++) s += i % 7; s'.replace('let s', 'var s').replace('let i', 'var i'));
    },
  };
};

/** Jobs of which several run at the same time, while a timer of 1 ms says for how long the event loop does not turn. */
exports.jobsOf = (load) => {
  const context = () => new (load('isolated-vm').Isolate)().createContextSync();
  const LOOP = 'var s = 0; for (var i = 0; i < 3e7; i++) s += i % 7; s';
  const bcrypt = (name, form) => async (cost) => {
    const it = load(name);
    const hash = await it.hash('correct horse', cost);
    return {
      promise: () => it.hash('correct horse', cost),
      compare: () => it.compare('correct horse', hash),
      callback: () => new Promise((resolve) => it.hash('correct horse', cost, resolve)),
    }[form];
  };
  const encoded = (form) => async () => {
    const canvas = card(load, 1200, 630);
    return async () => canvas[form](form === 'encode' ? 'png' : 'image/png');
  };
  return {
    'canvas.toBuffer, PNG of 1200 × 630': encoded('toBuffer'),
    'canvas.encode, the same, promise': encoded('encode'),
    'bcryptjs.hash, promise, cost 10': () => bcrypt('bcryptjs', 'promise')(10),
    'bcryptjs.hash, callback, cost 10': () => bcrypt('bcryptjs', 'callback')(10),
    'bcryptjs.compare, promise, cost 12': () => bcrypt('bcryptjs', 'compare')(12),
    'bcrypt.hash, promise, cost 10': () => bcrypt('bcrypt', 'promise')(10),
    'Context#evalSync, a loop of 30 million': async () => {
      const it = context();
      return async () => it.evalSync(LOOP);
    },
    'Context#eval, the same, promise': async () => {
      const it = context();
      return () => it.eval(LOOP);
    },
  };
};
