/** A part of a template that gives a value: a pipeline's argument. */
export type Operand =
  | { readonly type: 'dot'; readonly at: number }
  | { readonly type: 'nil'; readonly at: number }
  | { readonly type: 'bool'; readonly value: boolean; readonly at: number }
  | { readonly type: 'number'; readonly value: number | bigint; readonly text: string; readonly at: number }
  | { readonly type: 'string'; readonly value: string; readonly quoted: string; readonly at: number }
  | { readonly type: 'field'; readonly names: readonly string[]; readonly at: number }
  | { readonly type: 'variable'; readonly names: readonly string[]; readonly at: number }
  | { readonly type: 'identifier'; readonly name: string; readonly at: number }
  | { readonly type: 'chain'; readonly of: Operand; readonly names: readonly string[]; readonly at: number }
  | { readonly type: 'pipe'; readonly pipe: Pipe; readonly at: number };

/** One stage of a pipeline: a value, or a function and its arguments. */
export interface Command {
  readonly args: readonly Operand[];
  readonly at: number;
}

/** `$x := a | b`: commands, each given the value of the one before as its last argument. */
export interface Pipe {
  readonly variables: readonly string[];
  readonly isAssignment: boolean;
  readonly commands: readonly Command[];
  readonly at: number;
}

/** A branch that looks at a pipeline's value. */
export interface Branch {
  readonly type: 'if' | 'with' | 'range';
  readonly pipe: Pipe;
  readonly list: readonly TemplateNode[];
  readonly otherwise: readonly TemplateNode[] | undefined;
  readonly at: number;
}

/** What a template is made of. */
export type TemplateNode =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'action'; readonly pipe: Pipe; readonly at: number }
  | { readonly type: 'template'; readonly name: string; readonly pipe: Pipe | undefined; readonly at: number }
  | { readonly type: 'break' | 'continue'; readonly at: number }
  | Branch;

/** A template that cannot be read: `template: output:1: unclosed action`. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';

  constructor(text: string, place: { readonly source: string; readonly at: number }) {
    super(`template: output:${lineOf(place.source, place.at)}: ${text}`);
  }
}

/** Line of an offset, from 1. */
export function lineOf(source: string, at: number): number {
  return source.slice(0, at).split('\n').length;
}

/** An operand as errors show it. */
export function showOperand(operand: Operand): string {
  switch (operand.type) {
    case 'dot':
      return '.';
    case 'nil':
      return 'nil';
    case 'bool':
      return String(operand.value);
    case 'number':
      return operand.text;
    case 'string':
      return operand.quoted;
    case 'field':
      return operand.names.map((name) => `.${name}`).join('');
    case 'variable':
      return operand.names.join('.');
    case 'identifier':
      return operand.name;
    case 'chain':
      return `${showOperand(operand.of)}${operand.names.map((name) => `.${name}`).join('')}`;
    case 'pipe':
      return `(${showPipe(operand.pipe)})`;
  }
}

/** A command as errors show it. */
export function showCommand({ args }: Command): string {
  return args.map(showOperand).join(' ');
}

/** A pipeline as errors show it. */
export function showPipe({ variables, isAssignment, commands }: Pipe): string {
  const lead = variables.length === 0 ? '' : `${variables.join(', ')} ${isAssignment ? '=' : ':='} `;
  return lead + commands.map(showCommand).join(' | ');
}
