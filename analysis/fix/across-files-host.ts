// What a conversion over several files needs from the project, and what the search for a function's uses needs from the conversion.
import type { CallNode, FunctionNode, Node } from '../module/ast.ts';
import type { Handler } from '../facts/handlers/handler.ts';
import type { Facts } from '../facts/index.ts';
import type { Edit } from '../rule.ts';
import type { PassedOn } from './pass-errors-on.ts';
import type { FunctionsOfCall } from './wrapper.ts';
import type { CallerLookup } from '../project/answers/call-sites.ts';

export interface AcrossFilesHost {
  calls: CallerLookup;
  /** Undefined for files that cannot be read. Always the same object for a file. */
  factsOf(file: string): Facts | undefined;
  /**
   * Why a handler that awaits would lose its errors; `facts` are those of the file with `handlerArgument`, `own` those of the file with the
   * handler.
   */
  whyNotHandler(
    handler: Pick<Handler, 'fn' | 'framework'>,
    facts: Facts,
    handlerArgument: Node,
    own: Facts,
    elsewhere: FunctionsOfCall,
  ): string | undefined;
  /** How the handler passes its errors on by itself, where what calls it would lose them. */
  passErrorsOn(handler: Pick<Handler, 'fn' | 'framework'>, facts: Facts, handlerArgument: Node, own: Facts): PassedOn | undefined;
  /** What the handler's code needs besides `async`. */
  handlerEdits(handler: Pick<Handler, 'fn' | 'framework'>, own: Facts): readonly Edit[];
}

/** A conversion in progress, as the search for a function's uses sees it. */
export interface ConversionInProgress {
  readonly host: AcrossFilesHost;
  /** @throws CannotConvert for a file that cannot be read */
  facts(file: string): Facts;
  /** The functions of other files that a call of a file runs. */
  elsewhere(file: string): FunctionsOfCall;
  awaitCall(file: string, call: CallNode): void;
  /** @param handlerArgument the expression that is registered, in the file `where` */
  register(file: string, fn: FunctionNode, framework: string, handlerArgument: Node, where: string): void;
  /** `call` passes a callback to a promise method such as `then`: it needs no await. */
  takeCallback(file: string, call: CallNode): void;
}
