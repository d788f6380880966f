// Thrown if a caller cannot be converted. One such place is enough to refuse the whole conversion.

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
