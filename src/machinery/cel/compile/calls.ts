import { callCost, hasSize, totalCost } from '../estimate.ts';
import { createCall } from '../functions/index.ts';
import type { Expr } from '../library.ts';
import { callRun, logicalRun, matchConstant } from '../runs.ts';
import { callText, callType, isFunction } from '../signatures.ts';
import { bool, isDyn, joinTypes } from '../types.ts';
import { Failure } from '../values.ts';
import { compileIndex } from './access.ts';
import { compileGathering, compileOptionalMap } from './loops.ts';
import type { Compilation, Part, Scope, Syntax } from './part.ts';

/** A function, a member or an operator. */
export function compileCall(
  compilation: Compilation,
  expr: Expr,
  call: Syntax<'callExpr'>,
  scope: Scope | undefined,
): Part {
  const { function: name, target, args } = call;
  if (target !== undefined) return compileMember(compilation, expr, call, scope);
  const gathered = compileGathering(compilation, name, args, scope);
  if (gathered !== undefined) return gathered;
  const parts = args.map((arg) => compilation.compile(arg, scope));
  const [first, second, third] = parts;
  if (first !== undefined && second !== undefined) {
    if (name === '_&&_' || name === '_||_') return compileLogical(compilation, expr, name, [first, second]);
    if (name === '_[_]') return compileIndex(compilation, expr, first, second);
    if (name === '_?_:_' && third !== undefined)
      return compileChoice(compilation, expr, [first, second, third]);
  }
  if (name === '@not_strictly_false' && first !== undefined) {
    return { ...first, type: bool, run: (frame) => first.run(frame) !== false };
  }
  return compileFunction(compilation, expr, { name, parts, isMember: false });
}

function compileMember(
  compilation: Compilation,
  expr: Expr,
  { function: name, target, args }: Syntax<'callExpr'>,
  scope: Scope | undefined,
): Part {
  const space = target?.exprKind.case === 'identExpr' ? target.exprKind.value.name : undefined;
  const compileAll = (): Part[] => args.map((arg) => compilation.compile(arg, scope));
  if (space !== undefined && isFunction(`${space}.${name}`, false) && !compilation.isKnown(space, scope)) {
    return compileFunction(compilation, expr, {
      name: `${space}.${name}`,
      parts: compileAll(),
      isMember: false,
    });
  }
  const on = compilation.compile(target, scope);
  if ((name === 'optMap' || name === 'optFlatMap') && args.length === 2) {
    return compileOptionalMap(compilation, expr, { name, on, args }, scope);
  }
  return compileFunction(compilation, expr, { name, parts: [on, ...compileAll()], isMember: true });
}

interface FunctionCall {
  readonly name: string;
  readonly parts: readonly Part[];
  readonly isMember: boolean;
}

/** An ordinary function. */
function compileFunction(
  compilation: Compilation,
  expr: Expr,
  { name, parts, isMember }: FunctionCall,
): Part {
  const types = parts.map((part) => part.type);
  if (!isFunction(name, isMember)) {
    return compilation.fail(expr, `undeclared reference to '${name}' (in container '')`);
  }
  const type = callType(name, types, isMember);
  if (type === undefined) {
    return compilation.fail(expr, `found no matching overload for ${callText(name, types, isMember)}`);
  }
  const cost = 1 + totalCost(parts) + callCost(name, parts);
  const size = isDyn(type) || !hasSize(type) ? 1 : parts.reduce((sum, part) => sum + part.size, 0);
  const [text, pattern] = parts;
  if (name === 'matches' && text !== undefined && typeof pattern?.constant === 'string') {
    const compiled = compilation.pattern(pattern.constant);
    if (compiled instanceof Failure) return compilation.fail(expr, compiled.message);
    return { type, size, cost, run: matchConstant(text.run, compiled) };
  }
  const invoke = createCall(name, parts.length, isMember);
  const runs = parts.map(({ run }) => run);
  return { type, size, cost, run: callRun(runs, invoke) };
}

function compileLogical(
  compilation: Compilation,
  expr: Expr,
  name: string,
  [left, right]: readonly [Part, Part],
): Part {
  if ([left, right].some(({ type }) => !isDyn(type) && type !== bool)) {
    const text = callText(name, [left.type, right.type], false);
    return compilation.fail(expr, `found no matching overload for ${text}`);
  }
  const run = logicalRun(left.run, right.run, name === '_||_');
  return { type: bool, size: 1, cost: left.cost + right.cost + 1, run };
}

function compileChoice(
  compilation: Compilation,
  expr: Expr,
  parts: readonly [condition: Part, yes: Part, no: Part],
): Part {
  const [condition, yes, no] = parts;
  const fits = isDyn(condition.type) || condition.type === bool;
  const type = joinTypes(yes.type, no.type);
  const areAlike = isDyn(yes.type) || isDyn(no.type) || !isDyn(type);
  if (!fits || !areAlike) {
    const text = callText(
      '_?_:_',
      parts.map((part) => part.type),
      false,
    );
    return compilation.fail(expr, `found no matching overload for ${text}`);
  }
  return {
    type,
    size: Math.max(yes.size, no.size),
    cost: condition.cost + Math.max(yes.cost, no.cost) + 1,
    run(frame) {
      const chosen = condition.run(frame);
      if (chosen === true) return yes.run(frame);
      if (chosen === false) return no.run(frame);
      return chosen instanceof Failure ? chosen : new Failure('no such overload');
    },
  };
}
