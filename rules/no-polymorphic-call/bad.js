// Five classes meet at `shape.area()`: V8 keeps four shapes there, then gives up and inlines none of the methods.
class Square {
  constructor(size) {
    this.size = size;
  }
  area() {
    return this.size * this.size;
  }
}

class Circle {
  constructor(size) {
    this.size = size;
  }
  area() {
    return this.size * this.size * 3;
  }
}

class Triangle {
  constructor(size) {
    this.size = size;
  }
  area() {
    return (this.size * this.size) / 2;
  }
}

class Cube {
  constructor(size) {
    this.size = size;
  }
  area() {
    return this.size * this.size * 6;
  }
}

class Line {
  constructor(size) {
    this.size = size;
  }
  area() {
    return this.size - this.size;
  }
}

function areaOf(shape) {
  return shape.area();
}

export function totalArea(count, rounds) {
  const shapes = [];
  for (let i = 0; i < count; i += 5) {
    shapes.push(new Square(i), new Circle(i), new Triangle(i), new Cube(i), new Line(i));
  }
  let total = 0;
  for (let round = 0; round < rounds; round++) {
    for (const shape of shapes) total += areaOf(shape);
  }
  return total;
}
