// How long the messages are that a client announces. The library waits for as many bytes as a header says, and hears nothing else
// meanwhile.

/** No header of the protocol is longer, in bytes; what comes instead is for the library to refuse. */
const MOST_HEADER = 4096;
const END_OF_HEADERS = '\r\n\r\n';

/** For the chunks of a stream of messages: `tooLong` is called with the length of the first message above `most` bytes. */
export function watchLengths(most: number, tooLong: (bytes: number) => void): (chunk: Buffer) => void {
  let header = '';
  /** Bytes of the message that are still to come. */
  let rest = 0;
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      const skipped = Math.min(rest, chunk.length - at);
      rest -= skipped;
      at += skipped;
      if (rest > 0 || at >= chunk.length) return;
      const before = header.length;
      header += chunk.toString('latin1', at, at + MOST_HEADER - before);
      const end = header.indexOf(END_OF_HEADERS);
      if (end === -1) {
        // Not the protocol.
        if (header.length >= MOST_HEADER) rest = Infinity;
        return;
      }
      at += end + END_OF_HEADERS.length - before;
      rest = Number(/^content-length: *(\d{1,15})/im.exec(header)?.[1] ?? 0);
      header = '';
      if (rest > most) return tooLong(rest);
    }
  };
}
