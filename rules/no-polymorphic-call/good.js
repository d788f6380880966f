// One class with a `kind`: every shape has the same map, and the small methods became branches of one inlined function.
const SQUARE = 0;
const CIRCLE = 1;
const TRIANGLE = 2;
const CUBE = 3;
const LINE = 4;

class Shape {
  constructor(kind, size) {
    this.kind = kind;
    this.size = size;
  }
}

function areaOf(shape) {
  const { kind, size } = shape;
  switch (kind) {
    case SQUARE:
      return size * size;
    case CIRCLE:
      return size * size * 3;
    case TRIANGLE:
      return (size * size) / 2;
    case CUBE:
      return size * size * 6;
    default:
      return size - size;
  }
}

export function totalArea(count, rounds) {
  const shapes = [];
  for (let i = 0; i < count; i += 5) {
    shapes.push(new Shape(SQUARE, i), new Shape(CIRCLE, i), new Shape(TRIANGLE, i), new Shape(CUBE, i), new Shape(LINE, i));
  }
  let total = 0;
  for (let round = 0; round < rounds; round++) {
    for (const shape of shapes) total += areaOf(shape);
  }
  return total;
}
