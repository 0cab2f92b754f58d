import type { Dialect } from '../../machinery/dialect.ts';
import type { GroupVersionKind } from '../../machinery/schema/index.ts';
import { bodyParameter, queryParameters } from './parameters.ts';
import type { Answer, Operation, Parameter, Schema } from './swagger.ts';

/** How operations get at definitions; what they ask for becomes part of the document. */
export interface Definitions {
  /** Reference to the definition of a kind. */
  ofKind(gvk: GroupVersionKind): Schema;
  /** Reference to the definition of a catalog type, spelled as the data has it. */
  ofType(typeName: string): Schema;
}

/** What the operations of one resource or subresource have in common. */
export interface OperationContext {
  readonly dialect: Dialect;
  readonly definitions: Definitions;
  /** Kind of the objects that the operations are about. */
  readonly gvk: GroupVersionKind;
  /** `CoreV1`, `AppsV1`: the middle of operation names. */
  readonly groupName: string;
  readonly tag: string;
  /** Custom resources have no binary form and no strategic patches. */
  readonly isCustom: boolean;
  /** Answers of deletions hold the object instead of a Status. */
  readonly returnsDeleted: boolean;
}

const unauthorized: Answer = { description: 'Unauthorized' };
const meta = 'meta.orch.io/v1';

/** One operation out of what differs between them; `name` is the whole operation name. */
export function buildOperation(
  context: OperationContext,
  parts: {
    readonly name: string;
    readonly description: string;
    readonly action: string;
    readonly consumes?: readonly string[];
    readonly produces: readonly string[];
    readonly parameters?: readonly Parameter[];
    readonly answers: Readonly<Record<string, Answer>>;
  },
): Operation {
  const { group, kind, version } = context.gvk;
  const parameters = [...(parts.parameters ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    description: parts.description,
    consumes: parts.consumes ?? ['*/*'],
    produces: parts.produces,
    schemes: ['https'],
    tags: [context.tag],
    operationId: parts.name,
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: { ...parts.answers, '401': unauthorized },
    'x-orch-action': parts.action,
    'x-orch-group-version-kind': { group, kind, version },
  };
}

/** Media types of answers with one object. */
export function producedTypes({ dialect, isCustom }: OperationContext): readonly string[] {
  const text = ['application/json', 'application/yaml'];
  return isCustom ? text : [...text, dialect.protobufMediaType];
}

/** Media types of answers with lists, which may be watches too. */
function producedByLists(context: OperationContext): readonly string[] {
  const watches = context.isCustom
    ? ['application/json;stream=watch']
    : ['application/json;stream=watch', `${context.dialect.protobufMediaType};stream=watch`];
  return [...producedTypes(context), ...watches];
}

function answersWith(schema: Schema, codes: readonly (keyof typeof reasons)[]): Record<string, Answer> {
  return Object.fromEntries(codes.map((code) => [code, { description: reasons[code], schema }]));
}
const reasons = { '200': 'OK', '201': 'Created', '202': 'Accepted' } as const;

/** How an operation is named and told of. */
export interface OperationTitle {
  /** Rest of the operation name behind the group: `NamespacedPodStatus`. */
  readonly suffix: string;
  /** What it is about: `the status of one Pod`. */
  readonly subject: string;
}

export function readOperation(context: OperationContext, { suffix, subject }: OperationTitle): Operation {
  return buildOperation(context, {
    name: `read${context.groupName}${suffix}`,
    description: `Get ${subject}.`,
    action: 'get',
    produces: producedTypes(context),
    answers: answersWith(context.definitions.ofKind(context.gvk), ['200']),
  });
}

/** Adds the parameters that only whole objects know. */
export function readObjectOperation(context: OperationContext, title: OperationTitle): Operation {
  const operation = readOperation(context, title);
  if (context.isCustom) return { ...operation, parameters: listParameters('resourceVersion') };
  return { ...operation, parameters: queryParameters.get };
}

const listParameters = (...names: readonly string[]): readonly Parameter[] =>
  queryParameters.list.filter(({ name }) => names.includes(name));

export function createOperation(context: OperationContext, { suffix, subject }: OperationTitle): Operation {
  const schema = context.definitions.ofKind(context.gvk);
  return buildOperation(context, {
    name: `create${context.groupName}${suffix}`,
    description: `Create ${subject}.`,
    action: 'post',
    produces: producedTypes(context),
    parameters: [bodyParameter(schema, { isRequired: true }), ...queryParameters.create],
    answers: answersWith(schema, ['200', '201', '202']),
  });
}

export function replaceOperation(context: OperationContext, { suffix, subject }: OperationTitle): Operation {
  const schema = context.definitions.ofKind(context.gvk);
  return buildOperation(context, {
    name: `replace${context.groupName}${suffix}`,
    description: `Replace ${subject}.`,
    action: 'put',
    produces: producedTypes(context),
    parameters: [bodyParameter(schema, { isRequired: true }), ...queryParameters.create],
    answers: answersWith(schema, ['200', '201']),
  });
}

const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];

export function patchOperation(context: OperationContext, { suffix, subject }: OperationTitle): Operation {
  const body = bodyParameter(context.definitions.ofType(`${meta}.Patch`), { isRequired: true });
  return buildOperation(context, {
    name: `patch${context.groupName}${suffix}`,
    description: `Change ${subject} in part.`,
    action: 'patch',
    consumes: context.isCustom ? patchTypes.filter((type) => !type.includes('strategic')) : patchTypes,
    produces: producedTypes(context),
    parameters: [body, ...queryParameters.patch],
    answers: answersWith(context.definitions.ofKind(context.gvk), ['200']),
  });
}

const optionalDeleteOptions = ({ definitions }: OperationContext): Parameter =>
  bodyParameter(definitions.ofType(`${meta}.DeleteOptions`), { isRequired: false });

export function deleteOperation(context: OperationContext, { suffix, subject }: OperationTitle): Operation {
  const { definitions, gvk, returnsDeleted } = context;
  const schema = returnsDeleted ? definitions.ofKind(gvk) : definitions.ofType(`${meta}.Status`);
  return buildOperation(context, {
    name: `delete${context.groupName}${suffix}`,
    description: `Delete ${subject}.`,
    action: 'delete',
    produces: producedTypes(context),
    parameters: [optionalDeleteOptions(context), ...queryParameters.delete],
    answers: answersWith(schema, ['200', '202']),
  });
}

export function deleteCollectionOperation(context: OperationContext, title: OperationTitle): Operation {
  const own = queryParameters.list.filter(({ name }) => name !== 'watch' && name !== 'allowWatchBookmarks');
  return buildOperation(context, {
    name: `delete${context.groupName}Collection${title.suffix}`,
    description: `Delete ${title.subject}.`,
    action: 'deletecollection',
    produces: producedTypes(context),
    parameters: [optionalDeleteOptions(context), ...own, ...queryParameters.delete],
    answers: answersWith(context.definitions.ofType(`${meta}.Status`), ['200']),
  });
}

export function listOperation(
  context: OperationContext,
  { suffix, subject, listKind }: OperationTitle & { readonly listKind: string },
): Operation {
  const schema = context.definitions.ofKind({ ...context.gvk, kind: listKind });
  return buildOperation(context, {
    name: `list${context.groupName}${suffix}`,
    description: `List or watch ${subject}.`,
    action: 'list',
    produces: producedByLists(context),
    parameters: queryParameters.list,
    answers: answersWith(schema, ['200']),
  });
}

/** The old form of watches, with a path of their own. */
export function watchOperation(
  context: OperationContext,
  { suffix, subject, isList }: OperationTitle & { readonly isList: boolean },
): Operation {
  return buildOperation(context, {
    name: `watch${context.groupName}${suffix}`,
    description: `Watch ${subject}. Deprecated: use \`watch\` with a list${isList ? '' : ' and a field selector'}.`,
    action: isList ? 'watchlist' : 'watch',
    produces: producedByLists(context),
    parameters: queryParameters.list,
    answers: answersWith(context.definitions.ofType(`${meta}.WatchEvent`), ['200']),
  });
}
