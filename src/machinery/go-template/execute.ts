import { showValue, typeName } from '../go-values/index.ts';
import { FunctionError, type FunctionTable } from './functions.ts';
import {
  type Branch,
  type Command,
  lineOf,
  type Operand,
  type Pipe,
  showCommand,
  showOperand,
  showPipe,
  type TemplateNode,
} from './nodes.ts';
import type { ParsedTemplate } from './parse.ts';
import { isList, isMap, isTrue, sortedKeys, type Value } from './values.ts';

/** A template that cannot be carried out with this data: `template: output:1:2: executing "output" at <.a>: ...`. */
export class ExecuteError extends Error {
  override readonly name = 'ExecuteError';
  /** What was written before. */
  readonly written: string;

  constructor(message: string, written: string) {
    super(message);
    this.written = written;
  }
}

/** How a template is carried out. */
export interface ExecuteOptions {
  /** Missing fields give nothing; otherwise they are errors. */
  readonly allowsMissing: boolean;
  readonly functions: FunctionTable;
}

/** How deep templates may call one another. Source: Go, `text/template`. */
const maxDepth = 1000;

/** The text of a template for some data. @throws ExecuteError */
export function executeTemplate(template: ParsedTemplate, data: Value, options: ExecuteOptions): string {
  return new Execution(template, options).run(data);
}

/** What errors point to. */
interface Place {
  readonly at: number;
  readonly text: () => string;
}

interface Variable {
  readonly name: string;
  value: Value;
}

/** Marks that a range is left or goes on. */
type Jump = 'break' | 'continue' | undefined;

/** Stands for "no value is handed on by a pipeline". */
const nothing: unique symbol = Symbol('nothing');
type Final = Value | typeof nothing;

class Execution {
  readonly #template: ParsedTemplate;
  readonly #options: ExecuteOptions;
  #out = '';
  #name = 'output';
  #depth = 0;
  #variables: Variable[] = [];
  /** The dot is an element of what a range goes through: for Go it may be anything. */
  #isElement = false;
  #place: Place = { at: 0, text: () => '' };

  constructor(template: ParsedTemplate, options: ExecuteOptions) {
    this.#template = template;
    this.#options = options;
  }

  run(data: Value): string {
    this.#variables = [{ name: '$', value: data }];
    this.#list(this.#template.root, data);
    return this.#out;
  }

  #list(nodes: readonly TemplateNode[], dot: Value): Jump {
    for (const node of nodes) {
      const jump = this.#node(node, dot);
      if (jump !== undefined) return jump;
    }
    return undefined;
  }

  #node(node: TemplateNode, dot: Value): Jump {
    switch (node.type) {
      case 'text':
        this.#out += node.text;
        return undefined;
      case 'action': {
        const value = this.#pipe(node.pipe, dot);
        if (node.pipe.variables.length > 0) return undefined;
        this.#out += value === undefined || value === null ? '<no value>' : showValue(value);
        return undefined;
      }
      case 'template':
        this.#call(node, dot);
        return undefined;
      case 'break':
      case 'continue':
        return node.type;
      case 'range':
        return this.#range(node, dot);
      default:
        return this.#branch(node, dot);
    }
  }

  #branch({ type, pipe, list, otherwise = [] }: Branch, dot: Value): Jump {
    const scope = this.#variables.length;
    const value = this.#pipe(pipe, dot);
    const isElement = this.#isElement;
    if (type === 'with' && isTrue(value)) this.#isElement = false;
    const jump = isTrue(value) ? this.#list(list, type === 'with' ? value : dot) : this.#list(otherwise, dot);
    this.#isElement = isElement;
    this.#variables.length = scope;
    return jump;
  }

  #range({ pipe, list, otherwise = [] }: Branch, dot: Value): Jump {
    const scope = this.#variables.length;
    const value = this.#pipe(pipe, dot);
    const entries = this.#entries(value);
    const inner = this.#variables.length;
    const isElement = this.#isElement;
    this.#isElement = true;
    for (const [key, item] of entries) {
      this.#setLoopVariables(pipe, key, item);
      const jump = this.#list(list, item);
      this.#variables.length = inner;
      if (jump === 'break') break;
    }
    this.#isElement = isElement;
    const jump = entries.length === 0 ? this.#list(otherwise, dot) : undefined;
    this.#variables.length = scope;
    return jump;
  }

  /** The declared ones are the last ones: the element alone, or its key and itself. */
  #setLoopVariables({ variables, isAssignment }: Pipe, key: Value, item: Value): void {
    const values = variables.length === 1 ? [item] : [key, item];
    for (const [index, name] of variables.entries()) {
      if (isAssignment) this.#assign(name, values[index]);
      else this.#variables.push({ name, value: values[index] });
    }
  }

  #entries(value: Value): (readonly [Value, Value])[] {
    if (value === undefined || value === null) return [];
    if (isList(value)) return value.map((item, index) => [BigInt(index), item]);
    if (isMap(value)) return sortedKeys(value).map((key) => [key, value[key]]);
    throw this.#error(`range can't iterate over ${showValue(value)}`);
  }

  #call(node: TemplateNode & { type: 'template' }, dot: Value): void {
    const { name, pipe, at } = node;
    const shown = () =>
      `{{template ${JSON.stringify(name)}${pipe === undefined ? '' : ` ${showPipe(pipe)}`}}}`;
    this.#place = { at, text: shown };
    const list = this.#template.definitions.get(name);
    if (list === undefined) throw this.#error(`template ${JSON.stringify(name)} not defined`);
    if (this.#depth === maxDepth) {
      throw this.#error(`exceeded maximum template depth (${maxDepth})`);
    }
    const argument = pipe === undefined ? undefined : this.#pipe(pipe, dot);
    const outer = { variables: this.#variables, name: this.#name, isElement: this.#isElement };
    this.#isElement = false;
    this.#variables = [{ name: '$', value: argument }];
    this.#name = name;
    this.#depth++;
    this.#list(list, argument);
    this.#depth--;
    this.#variables = outer.variables;
    this.#name = outer.name;
    this.#isElement = outer.isElement;
  }

  #pipe(pipe: Pipe, dot: Value): Value {
    this.#place = { at: pipe.at, text: () => showPipe(pipe) };
    let value: Final = nothing;
    for (const command of pipe.commands) value = this.#command(command, dot, value);
    const result = value === nothing ? undefined : value;
    for (const name of pipe.variables) {
      if (pipe.isAssignment) this.#assign(name, result);
      else this.#variables.push({ name, value: result });
    }
    return result;
  }

  #assign(name: string, value: Value): void {
    const variable = this.#variables.findLast((one) => one.name === name);
    if (variable === undefined) throw this.#error(`undefined variable: ${name}`);
    variable.value = value;
  }

  #command(command: Command, dot: Value, final: Final): Value {
    const [first, ...args] = command.args;
    if (first === undefined) return undefined;
    const hasArguments = args.length > 0 || final !== nothing;
    if (first.type === 'identifier') return this.#function(first, command, dot, final);
    if (first.type === 'field' || first.type === 'chain' || first.type === 'variable') {
      return this.#operand(first, dot, hasArguments);
    }
    this.#at(first);
    if (hasArguments) throw this.#error(`can't give argument to non-function ${showOperand(first)}`);
    if (first.type === 'nil') throw this.#error('nil is not a command');
    return this.#operand(first, dot);
  }

  #operand(operand: Operand, dot: Value, hasArguments = false): Value {
    this.#at(operand);
    switch (operand.type) {
      case 'dot':
        return dot;
      case 'nil':
        return null;
      case 'bool':
      case 'number':
      case 'string':
        return operand.value;
      case 'field':
        return this.#fields(dot, operand.names, hasArguments, this.#isElement);
      case 'variable': {
        const [name = '', ...names] = operand.names;
        const variable = this.#variables.findLast((one) => one.name === name);
        if (variable === undefined) throw this.#error(`undefined variable: ${name}`);
        if (names.length === 0 && hasArguments) {
          throw this.#error(`can't give argument to non-function ${showOperand(operand)}`);
        }
        return this.#fields(variable.value, names, hasArguments);
      }
      case 'chain': {
        const base = this.#operand(operand.of, dot);
        if (operand.of.type === 'nil')
          throw this.#error(`indirection through explicit nil in ${showOperand(operand)}`);
        return this.#fields(base, operand.names, hasArguments);
      }
      case 'identifier':
        return this.#function(operand, { args: [operand], at: operand.at }, dot, nothing);
      case 'pipe': {
        const scope = this.#variables.length;
        const value = this.#pipe(operand.pipe, dot);
        this.#variables.length = scope;
        return value;
      }
    }
  }

  #fields(base: Value, names: readonly string[], hasArguments: boolean, isElement = false): Value {
    let value = base;
    for (const [index, name] of names.entries()) {
      value = this.#field(value, name, hasArguments && index === names.length - 1, isElement || index > 0);
    }
    return value;
  }

  #field(value: Value, name: string, hasArguments: boolean, isNested: boolean): Value {
    const { allowsMissing } = this.#options;
    if (value === undefined) {
      if (!allowsMissing) throw this.#error(`nil data; no entry for key ${JSON.stringify(name)}`);
      return undefined;
    }
    if (value === null) throw this.#error(`nil pointer evaluating interface {}.${name}`);
    if (!isMap(value)) {
      const type = isNested ? 'interface {}' : typeName(value);
      throw this.#error(`can't evaluate field ${name} in type ${type}`);
    }
    if (hasArguments) throw this.#error(`${name} is not a method but has arguments`);
    if (Object.hasOwn(value, name)) return value[name];
    if (!allowsMissing) throw this.#error(`map has no entry for key ${JSON.stringify(name)}`);
    return undefined;
  }

  #function(operand: Operand & { type: 'identifier' }, command: Command, dot: Value, final: Final): Value {
    this.#at(operand);
    const { name } = operand;
    const definition = this.#options.functions.get(name);
    if (definition === undefined) throw this.#error(`${JSON.stringify(name)} is not a defined function`);
    const rest = command.args.slice(1);
    const given = rest.length + (final === nothing ? 0 : 1);
    const { least, most = Number.POSITIVE_INFINITY } = definition;
    if (given < least || given > most) {
      const want = least === most ? `${least}` : `at least ${least}`;
      throw this.#error(`wrong number of args for ${name}: want ${want} got ${given}`);
    }
    // The two that decide by their arguments look at no more of them than they need.
    if (definition.stopsAt !== undefined) return this.#decide(definition.stopsAt, rest, dot, final);
    const args = rest.map((one) => this.#argument(one, dot));
    if (final !== nothing) args.push(final);
    if (definition.takesTextFirst && typeof args[0] !== 'string') {
      const [first] = rest;
      if (first !== undefined) this.#at(first);
      throw this.#error(whyNoText(first, args[0]));
    }
    if (definition.takesNoFields && (typeof args[0] === 'string' || isList(args[0]))) {
      const isUntyped = rest.some((one, at) => at > 0 && isField(one) && args[at] !== undefined);
      if (isUntyped) throw this.#callError(command, name, 'cannot index slice/array with type interface {}');
    }
    try {
      return definition.run(...args);
    } catch (error) {
      throw error instanceof FunctionError ? this.#callError(command, name, error.message) : error;
    }
  }

  #callError(command: Command, name: string, text: string): ExecuteError {
    this.#place = { at: command.at, text: () => showCommand(command) };
    return this.#error(`error calling ${name}: ${text}`);
  }

  #decide(stopsAt: boolean, rest: readonly Operand[], dot: Value, final: Final): Value {
    let value: Value;
    for (const one of rest) {
      value = this.#argument(one, dot);
      if (isTrue(value) === stopsAt) return value;
    }
    return final === nothing ? value : final;
  }

  #argument(operand: Operand, dot: Value): Value {
    return this.#operand(operand, dot);
  }

  #at(operand: Operand): void {
    this.#place = { at: operand.at, text: () => showOperand(operand) };
  }

  #error(text: string): ExecuteError {
    const { source } = this.#template;
    const { at } = this.#place;
    const column = Buffer.byteLength(source.slice(source.lastIndexOf('\n', at - 1) + 1, at));
    const where = `output:${lineOf(source, at)}:${column}: executing ${JSON.stringify(this.#name)}`;
    return new ExecuteError(`template: ${where} at <${this.#place.text()}>: ${text}`, this.#out);
  }
}

/** Whether an operand is what a field holds. */
const isField = (operand: Operand): boolean =>
  operand.type === 'field' ||
  operand.type === 'chain' ||
  (operand.type === 'variable' && operand.names.length > 1);

/** Go's words for an argument that is no text; without an operand it comes from a pipeline. */
function whyNoText(operand: Operand | undefined, value: Value): string {
  if (operand?.type === 'nil') return 'cannot assign nil to string';
  if (operand?.type === 'bool' || operand?.type === 'number')
    return `expected string; found ${showOperand(operand)}`;
  if (value === undefined || (value === null && (operand === undefined || operand.type === 'pipe')))
    return 'invalid value; expected string';
  return `wrong type for value; expected string; got ${value === null ? 'interface {}' : typeName(value)}`;
}
