class Square {
  constructor(side) {
    this.side = side;
  }
  area() {
    return this.side * this.side;
  }
}
class Circle {
  constructor(radius) {
    this.radius = radius;
  }
  area() {
    return Math.PI * this.radius * this.radius;
  }
}
class Triangle {
  constructor(base, height) {
    this.base = base;
    this.height = height;
  }
  area() {
    return (this.base * this.height) / 2;
  }
}
class Ring {
  constructor(inner, outer) {
    this.inner = inner;
    this.outer = outer;
  }
  area() {
    return Math.PI * (this.outer * this.outer - this.inner * this.inner);
  }
}
class Point {
  area() {
    return 0;
  }
}

function measure(shape) {
  return shape.area();
}

/**
 * The area of all rows together.
 * @profile areaOf([{ size: 1 }, { size: 2 }, { size: 3 }])
 */
export function areaOf(rows) {
  let sum = 0;
  for (const row of rows) {
    sum += measure(new Square(row.size));
    sum += measure(new Circle(row.size));
    sum += measure(new Triangle(row.size, row.size));
    sum += measure(new Ring(1, row.size + 1));
    sum += measure(new Point());
    //     ^ no-polymorphic-call: manyReceivers (confirmed)
  }
  return Math.round(sum);
}

/** @profile parse('plain text') */
function parse(text) {
  // Most of the rows are plain text.
  try {
    // @3 no-throw-in-hot-path: jsonFallback (confirmed)
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Counts what the rows say.
 * @profile summarise([{ name: 'a' }, { name: '7' }])
 */
export function summarise(rows) {
  const names = [];
  for (let i = 0; i <= rows.length; i++) {
    //            ^ no-unstable-shape: overrunRead (seen)
    const row = rows[i];
    if (row) names.push(parse(row.name));
  }
  return { names };
}
