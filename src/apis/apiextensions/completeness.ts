import { type FieldError, type FieldPath, required } from '../../machinery/errors/index.ts';
import { type SchemaNode, schemaAt, schemasAt } from '../../machinery/schema/structural/index.ts';
import { isFull } from './nested-validation.ts';

/** Adds the errors of fields and items that only the logical junctors of a schema know: they must be declared outside too. */
export function validateCompleteness(errors: FieldError[], root: SchemaNode, path: FieldPath): void {
  visitJunctors(errors, root, { declared: root, declaredAt: path, wantedAt: path });
}

interface Pair {
  /** What is declared outside of junctors, where the wanted value stands. */
  readonly declared: SchemaNode | undefined;
  readonly declaredAt: FieldPath;
  readonly wantedAt: FieldPath;
}

function visitJunctors(errors: FieldError[], wanted: SchemaNode, pair: Pair): void {
  const not = schemaAt(wanted, 'not');
  if (not !== undefined) visit(errors, not, { ...pair, wantedAt: pair.wantedAt.child('not') });
  for (const field of ['allOf', 'anyOf', 'oneOf']) {
    for (const [at, child] of schemasAt(wanted, field).entries()) {
      visit(errors, child, { ...pair, wantedAt: pair.wantedAt.child(field).index(at) });
    }
  }
}

function visit(errors: FieldError[], wanted: SchemaNode, pair: Pair): void {
  if (isFull(errors)) return;
  const { declared, declaredAt, wantedAt } = pair;
  if (declared === undefined) {
    errors.push(required(declaredAt, `because it is defined in ${wantedAt}`));
    return;
  }
  visitJunctors(errors, wanted, pair);
  const items = schemaAt(wanted, 'items');
  if (items !== undefined) {
    visit(errors, items, {
      declared: schemaAt(declared, 'items'),
      declaredAt: declaredAt.child('items'),
      wantedAt: wantedAt.child('items'),
    });
  }
  const properties = schemaAt(wanted, 'properties');
  for (const name in properties) {
    const child = schemaAt(properties, name);
    if (child === undefined) continue;
    visit(errors, child, {
      declared: schemaAt(schemaAt(declared, 'properties') ?? {}, name),
      declaredAt: declaredAt.child('properties').key(name),
      wantedAt: wantedAt.child('properties').key(name),
    });
  }
}
