// The constraints that operations put on nodes. Each becomes a task at a node; the solver applies the task to every object that reaches the
// node.
import { Objects } from './abstract-objects.ts';
import { Do } from './tasks.ts';

export abstract class Constraints extends Objects {
  instance(dst: number, type: number): void {
    if (type !== 0) this.task(type, Do.Instance, dst, 0);
  }

  extend(object: number, classNode: number): void {
    if (classNode !== 0) this.task(classNode, Do.Extend, object, 0);
  }

  /** Passes the program's request and response to the functions in a node, as their parameters. */
  request(node: number, request: number, response: number): void {
    this.task(node, Do.Request, request, response);
  }

  requestTo(fn: number, request: number, response: number): void {
    const first = this.functions.firstParameterOf(fn);
    const count = this.functions.parameterCountOf(fn);
    // `(error, request, response, next)` starts with one more parameter.
    const at = count === 4 ? 1 : 0;
    if (count > at) this.add(first + at, request);
    if (count > at + 1) this.add(first + at + 1, response);
  }

  mix(target: number, source: number): void {
    if (target !== 0 && source !== 0) this.task(target, Do.Mix, source, 0);
  }

  inherits(child: number, parent: number): void {
    if (child !== 0 && parent !== 0) this.task(child, Do.Inherits, parent, 0);
  }

  implements(instances: number, type: number): void {
    if (type !== 0) this.task(type, Do.Implements, instances, 0);
  }

  thisOf(fn: number, self: number): void {
    if (fn !== 0 && self !== 0) this.task(fn, Do.This, self, 0);
  }

  provide(token: number, value: number): void {
    if (token !== 0) this.task(token, Do.Provide, value, 0);
  }

  inject(dst: number, token: number): void {
    if (token !== 0) this.task(token, Do.Inject, dst, 0);
  }
}
