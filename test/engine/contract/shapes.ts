/** A class that programs import, for values of it that travel. */
export class Vector {
  readonly x: number;
  readonly y: number;
  next: Vector | undefined;

  constructor(x: number, y: number) {
    this.x = x;
    this.y = y;
  }

  length(): number {
    return Math.hypot(this.x, this.y);
  }
}

/** A subclass. */
export class NamedVector extends Vector {
  readonly name: string;

  constructor(name: string, x: number, y: number) {
    super(x, y);
    this.name = name;
  }

  greeting(): string {
    return `${this.name} of length ${this.length()}`;
  }
}

/** An error class with facts of its own. */
export class ShapeError extends Error {
  override readonly name = "ShapeError";
  readonly shape: string;
  readonly sides: readonly number[];

  constructor(message: string, shape: string, sides: readonly number[], options?: ErrorOptions) {
    super(message, options);
    this.shape = shape;
    this.sides = sides;
  }
}
