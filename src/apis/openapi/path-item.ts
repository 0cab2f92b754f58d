import { compareParameters, prettyParameter } from './parameters.ts';
import { type Method, methods, type Operation, type Parameter, type PathItem } from './swagger.ts';

/** A path item; parameters that all its operations have are said once. `pretty` is added unless `hasPretty` is false. */
export function createPathItem(
  parameters: readonly Parameter[],
  operations: Partial<Record<Method, Operation>>,
  { hasPretty = true }: { readonly hasPretty?: boolean } = {},
): PathItem {
  const found = Object.values(operations);
  const [first] = found;
  const shared = (first?.parameters ?? []).filter(
    (parameter) =>
      parameter.in !== 'body' && found.every((operation) => operation.parameters?.includes(parameter)),
  );
  const item: Partial<Record<Method, Operation>> = {};
  for (const method of methods) {
    const operation = operations[method];
    if (operation !== undefined) item[method] = withoutParameters(operation, shared);
  }
  const common = [...shared, ...parameters, ...(hasPretty ? [prettyParameter] : [])];
  if (common.length === 0) return item;
  return { ...item, parameters: common.sort(compareParameters) };
}

function withoutParameters(operation: Operation, shared: readonly Parameter[]): Operation {
  if (shared.length === 0 || operation.parameters === undefined) return operation;
  const { parameters, ...rest } = operation;
  const left = parameters.filter((parameter) => !shared.includes(parameter));
  return left.length === 0 ? rest : { ...rest, parameters: left };
}
