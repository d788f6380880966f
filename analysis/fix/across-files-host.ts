// What a conversion over several files needs from the project, and what the search for a function's uses needs from the conversion.
import type { CallNode, FunctionNode, Node } from '../module/ast.ts';
import type { Handler } from '../facts/handlers/handler.ts';
import type { Facts } from '../facts/index.ts';
import type { CallerLookup } from '../project/answers/call-sites.ts';

export interface AcrossFilesHost {
  calls: CallerLookup;
  /** Undefined for files that cannot be read. Always the same object for a file. */
  factsOf(file: string): Facts | undefined;
  /**
   * Why a handler that awaits at `site` would lose its errors. `facts` are those of the file with `handlerArgument`, `isWrapped` says
   * whether what it is passed to catches its rejections.
   */
  whyNotHandler(
    handler: Pick<Handler, 'fn' | 'framework'>,
    site: Node,
    facts: Facts,
    handlerArgument: Node,
    isWrapped: boolean,
  ): string | undefined;
}

/** A conversion in progress, as the search for a function's uses sees it. */
export interface ConversionInProgress {
  readonly host: AcrossFilesHost;
  /** @throws CannotConvert for a file that cannot be read */
  facts(file: string): Facts;
  awaitCall(file: string, call: CallNode): void;
  /** Whether a call catches the rejections of the function that it is given, wherever its own code is. */
  isCatching(file: string, call: CallNode): boolean;
  /** @param handlerArgument the expression that is registered, in the file `where` */
  register(file: string, fn: FunctionNode, framework: string, handlerArgument: Node, where: string): void;
  /** `call` passes a callback to a promise method such as `then`: it needs no await. */
  takeCallback(file: string, call: CallNode): void;
}
