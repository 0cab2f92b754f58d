import { ownValue } from '../../base/index.ts';
import type { Codec, ExplainedField } from './codec.ts';
import { goTypeName, goTypeOf, listElement, mapElement } from './go-names.ts';
import { jsonKind, numberText } from './json-text.ts';

/** What Go's own decoder, which types use that read their own JSON, says of a value of a wrong kind. */
export class PlainJsonFault extends TypeError {
  override readonly name = 'PlainJsonFault';
  /** Kind of the value. */
  readonly given: string;
  readonly goType: string;

  constructor(given: string, goType: string, place: Place = { goName: '', path: [] }) {
    const where = place.goName === '' ? 'value' : `struct field ${place.goName}.${place.path.join('.')}`;
    super(`json: cannot unmarshal ${given} into Go ${where} of type ${goType}`);
    this.given = given;
    this.goType = goType;
  }
}

/** Where a value stands: the innermost struct, and the names of all fields on the way from the first one. */
interface Place {
  readonly goName: string;
  readonly path: readonly string[];
}

/** Thrown by a type that reads its own JSON: Go's decoder reads no further then. */
class EndOfReading extends Error {
  readonly fault: unknown;

  constructor(fault: unknown) {
    super('the value was refused by its own reader');
    this.fault = fault;
  }
}

/**
 * Looks for the error of Go's own decoder: the first value of a wrong kind, unless a type below that reads its own JSON refuses
 * what it is given.
 *
 * @throws PlainJsonFault, and what readers of their own JSON throw.
 */
export function checkPlainJson(codec: Codec, value: unknown, goType: string): void {
  let first: PlainJsonFault | undefined;
  const report = (fault: PlainJsonFault): void => {
    first ??= fault;
  };
  try {
    look({ codec, value, goType, place: undefined }, report);
  } catch (error) {
    throw error instanceof EndOfReading ? error.fault : error;
  }
  if (first !== undefined) throw first;
}

interface Looked {
  readonly codec: Codec;
  readonly value: unknown;
  /** As Go prints it, without a pointer. */
  readonly goType: string;
  /** Undefined outside all structs. */
  readonly place: Place | undefined;
}

type Report = (fault: PlainJsonFault) => void;

function look(looked: Looked, report: Report): void {
  const { codec, value, place } = looked;
  if (value === null || value === undefined) return;
  const { explain } = codec;
  if (explain.kind === 'own') checkOwn(explain.check, value, place);
  else {
    const given = misfitOf(codec, value);
    if (given === undefined) lookInside(looked, report);
    else report(new PlainJsonFault(given, looked.goType, place));
  }
}

/** What is said of a value that cannot be of the codec's kind; undefined when it can. */
function misfitOf(codec: Codec, value: unknown): string | undefined {
  const kind = jsonKind(value);
  if (kind !== jsonKinds[codec.explain.kind]) return kind;
  return kind === 'number' && !fits(codec, value) ? `number ${numberText(value)}` : undefined;
}

const jsonKinds: Readonly<Record<Codec['explain']['kind'], string>> = {
  string: 'string',
  bytes: 'string',
  bool: 'bool',
  integer: 'number',
  double: 'number',
  list: 'array',
  map: 'object',
  struct: 'object',
  own: '',
};

function lookInside({ codec: { explain }, value, goType, place }: Looked, report: Report): void {
  if (typeof value !== 'object' || value === null) return;
  if (explain.kind === 'struct') {
    lookAtFields(explain.fields(), value, { goName: goType, path: place?.path ?? [] }, report);
  } else if (explain.kind === 'list' || explain.kind === 'map') {
    const codec = explain.element();
    const { explain: inside } = codec;
    // Maps of their own names say nothing of what they hold.
    const type = inside.kind === 'struct' ? inside.goName : goType.replace(/^(?:\[\]|map\[string\])/, '');
    for (const item of Object.values(value)) look({ codec, value: item, goType: type, place }, report);
  }
}

function lookAtFields(
  fields: readonly ExplainedField[],
  value: object,
  { goName: goType, path }: Place,
  report: Report,
): void {
  const goName = goType.slice(goType.lastIndexOf('.') + 1);
  for (const [name, member] of Object.entries(value)) {
    const field = fields.find(({ data }) => data.n === name);
    if (field === undefined) continue;
    const place = { goName, path: [...path, name] };
    look({ codec: field.codec, value: member, goType: typeOfField(field), place }, report);
  }
}

/** @throws EndOfReading with the error, which names the place of the reader instead of its own. */
function checkOwn(check: (value: unknown) => void, value: unknown, place: Place | undefined): void {
  try {
    check(value);
  } catch (error) {
    const isRenamed = place !== undefined && error instanceof PlainJsonFault;
    throw new EndOfReading(isRenamed ? new PlainJsonFault(error.given, error.goType, place) : error);
  }
}

function fits(codec: Codec, value: unknown): boolean {
  try {
    codec.decode(value);
    return true;
  } catch {
    return false;
  }
}

/** Maps that have a name in Go. */
const namedMaps: Readonly<Record<string, string>> = {
  definitions: 'JSONSchemaDefinitions',
  dependencies: 'JSONSchemaDependencies',
};

/** Texts of other types are of the type that the data names. */
function typeOfField({ data: { n, t, e } }: ExplainedField): string {
  const element = mapElement(t);
  const named = element === undefined ? undefined : ownValue(namedMaps, n);
  if (element !== undefined && named !== undefined) return goTypeName(element).replace(/[^.]*$/, named);
  return e === undefined || listElement(t) !== undefined ? goTypeOf(t) : goTypeName(e);
}
