// interim
import { isMember, memberName, unwrap, type CallNode } from '../../analysis/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
export interface PromiseForm { module: string; name: string; label: string; promisify?: boolean; probe?: boolean }
export type Cost = 'io' | 'spawn' | 'cpu' | 'wait';
export interface BlockingMatch { call: CallNode; name: string; member: string; cost: Cost; promiseForm: PromiseForm | { reason: string } }
export const WAITS_FOR: Readonly<Record<Cost, string>> = { io: 'the file system has answered', spawn: 'the child process has ended', cpu: 'the computation is done', wait: 'the wait is over' };
export function mayBlock(call: CallNode): boolean {
  const c = unwrap(call.callee);
  return c.type === 'Identifier' || isMember(c);
}
export function findBlockingCall(call: CallNode, facts: Facts): BlockingMatch | undefined {
  const c = unwrap(call.callee);
  const n = isMember(c) ? memberName(c) : c.type === 'Identifier' ? c.name : undefined;
  if (!n) return undefined;
  const o = facts.origins.moduleMember(call.callee);
  if (!o) return undefined;
  const last = o.path.at(-1);
  if (!last || !/Sync$/.test(last) || !/^(fs|fs-extra|graceful-fs|child_process|zlib|crypto|bcrypt|bcryptjs)$/.test(o.module)) return undefined;
  const p = last.replace(/Sync$/, '');
  return { call, name: `${o.module}.${last}`, member: last, cost: o.module === 'child_process' ? 'spawn' : /fs/.test(o.module) ? 'io' : 'cpu', promiseForm: { module: 'node:fs/promises', name: p, label: `fs.promises.${p}` } };
}
