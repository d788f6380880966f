// Thrown where a caller cannot be converted: one place is enough to refuse all of it.

export class CannotConvert extends Error {
  readonly file: string;
  readonly offset: number;

  constructor(reason: string, file: string, offset: number) {
    super(reason);
    this.name = 'CannotConvert';
    this.file = file;
    this.offset = offset;
  }
}
