import type { Dialect } from '../../machinery/dialect.ts';
import type { GroupVersionKind } from '../../machinery/schema/index.ts';
import { withArticle } from './operation-names.ts';
import { bodyParameter, compareParameters, queryParameters } from './parameters.ts';
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
  /** Reads of objects take the options of exports. */
  readonly canExport: boolean;
  /** Answers of deletions hold the object instead of a Status. */
  readonly returnsDeleted: boolean;
}

/** What an operation answers to whoever it does not know. */
export const unauthorized: Answer = { description: 'Unauthorized' };
const textTypes = ['application/json', 'application/yaml'];
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
  const parameters = [...(parts.parameters ?? [])].sort(compareParameters);
  return {
    description: parts.description,
    consumes: parts.consumes ?? (context.isCustom ? textTypes : ['*/*']),
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
  return isCustom ? textTypes : [...textTypes, dialect.protobufMediaType];
}

/** Media types of answers with lists, which may be watches too. */
function producedByLists(context: OperationContext): readonly string[] {
  const types = producedTypes(context);
  const streams = ['application/json', context.dialect.protobufMediaType];
  return context.isCustom ? types : [...types, ...streams.map((type) => `${type};stream=watch`)];
}

function answersWith(schema: Schema, codes: readonly (keyof typeof reasons)[]): Record<string, Answer> {
  return Object.fromEntries(codes.map((code) => [code, { description: reasons[code], schema }]));
}
const reasons = { '200': 'OK', '201': 'Created', '202': 'Accepted' } as const;

/**
 * How an operation is named and told of. Descriptions are in the words that release 1.20 has, since clients look for them.
 * Source: apiserver, `pkg/endpoints/installer.go`.
 */
export interface OperationTitle {
  /** Rest of the operation name behind the group: `NamespacedPodStatus`. */
  readonly suffix: string;
  /** Kind of the resource, also where the operation is about a subresource. */
  readonly kind: string;
  readonly subresource?: string;
}

/** `status of `, when the operation is about a subresource. */
const ofPart = ({ subresource }: OperationTitle): string =>
  subresource === undefined ? '' : `${subresource} of `;

export function readOperation(context: OperationContext, title: OperationTitle): Operation {
  return buildOperation(context, {
    name: `read${context.groupName}${title.suffix}`,
    description: `read ${ofPart(title)}the specified ${title.kind}`,
    action: 'get',
    produces: producedTypes(context),
    ...(context.isCustom && { parameters: listParameters('resourceVersion') }),
    answers: answersWith(context.definitions.ofKind(context.gvk), ['200']),
  });
}

/** Adds the parameters that only whole objects know. */
export function readObjectOperation(context: OperationContext, title: OperationTitle): Operation {
  const operation = readOperation(context, title);
  return context.canExport ? { ...operation, parameters: queryParameters.get } : operation;
}

const listParameters = (...names: readonly string[]): readonly Parameter[] =>
  queryParameters.list.filter(({ name }) => names.includes(name));

export function createOperation(context: OperationContext, title: OperationTitle): Operation {
  const schema = context.definitions.ofKind(context.gvk);
  return buildOperation(context, {
    name: `create${context.groupName}${title.suffix}`,
    description: `create ${ofPart(title)}${withArticle(title.kind)}`,
    action: 'post',
    produces: producedTypes(context),
    parameters: [bodyParameter(schema, { isRequired: true }), ...queryParameters.create],
    answers: answersWith(schema, ['200', '201', '202']),
  });
}

export function replaceOperation(context: OperationContext, title: OperationTitle): Operation {
  const schema = context.definitions.ofKind(context.gvk);
  return buildOperation(context, {
    name: `replace${context.groupName}${title.suffix}`,
    description: `replace ${ofPart(title)}the specified ${title.kind}`,
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

export function patchOperation(context: OperationContext, title: OperationTitle): Operation {
  const body = bodyParameter(context.definitions.ofType(`${meta}.Patch`), { isRequired: true });
  return buildOperation(context, {
    name: `patch${context.groupName}${title.suffix}`,
    description: `partially update ${ofPart(title)}the specified ${title.kind}`,
    action: 'patch',
    consumes: context.isCustom ? patchTypes.filter((type) => !type.includes('strategic')) : patchTypes,
    produces: producedTypes(context),
    // Release 1.20 does not tell that patches of custom resources know `force`.
    parameters: [body, ...(context.isCustom ? queryParameters.create : queryParameters.patch)],
    answers: answersWith(context.definitions.ofKind(context.gvk), ['200']),
  });
}

const optionalDeleteOptions = ({ definitions }: OperationContext): Parameter =>
  bodyParameter(definitions.ofType(`${meta}.DeleteOptions`), { isRequired: false });

export function deleteOperation(context: OperationContext, { suffix, kind }: OperationTitle): Operation {
  const { definitions, gvk, returnsDeleted } = context;
  const schema = returnsDeleted ? definitions.ofKind(gvk) : definitions.ofType(`${meta}.Status`);
  return buildOperation(context, {
    name: `delete${context.groupName}${suffix}`,
    description: `delete ${withArticle(kind)}`,
    action: 'delete',
    produces: producedTypes(context),
    parameters: [optionalDeleteOptions(context), ...queryParameters.delete],
    answers: answersWith(schema, ['200', '202']),
  });
}

export function deleteCollectionOperation(context: OperationContext, title: OperationTitle): Operation {
  const own = queryParameters.list.filter(({ name }) => name !== 'watch' && name !== 'allowWatchBookmarks');
  const parameters = [optionalDeleteOptions(context), ...own, ...queryParameters.delete];
  return buildOperation(context, {
    name: `delete${context.groupName}Collection${title.suffix}`,
    description: `delete collection of ${title.kind}`,
    action: 'deletecollection',
    produces: producedTypes(context),
    // Release 1.20 tells of the options of lists only where resources are custom.
    parameters: context.isCustom ? queryParameters.list : parameters,
    answers: answersWith(context.definitions.ofType(`${meta}.Status`), ['200']),
  });
}

export function listOperation(
  context: OperationContext,
  {
    suffix,
    kind,
    listKind,
    canWatch,
  }: OperationTitle & { readonly listKind: string; readonly canWatch: boolean },
): Operation {
  const schema = context.definitions.ofKind({ ...context.gvk, kind: listKind });
  return buildOperation(context, {
    name: `list${context.groupName}${suffix}`,
    description: `${canWatch ? 'list or watch' : 'list'} objects of kind ${kind}`,
    action: 'list',
    produces: producedByLists(context),
    parameters: queryParameters.list,
    answers: answersWith(schema, ['200']),
  });
}

const watchHint = "deprecated: use the 'watch' parameter with a list operation instead";

/** The old form of watches, with a path of their own. */
export function watchOperation(
  context: OperationContext,
  { suffix, kind, isList }: OperationTitle & { readonly isList: boolean },
): Operation {
  return buildOperation(context, {
    name: `watch${context.groupName}${suffix}`,
    description: isList
      ? `watch individual changes to a list of ${kind}. ${watchHint}.`
      : `watch changes to an object of kind ${kind}. ${watchHint}, filtered to a single item with the 'fieldSelector' parameter.`,
    action: isList ? 'watchlist' : 'watch',
    produces: producedByLists(context),
    parameters: queryParameters.list,
    answers: answersWith(context.definitions.ofType(`${meta}.WatchEvent`), ['200']),
  });
}
