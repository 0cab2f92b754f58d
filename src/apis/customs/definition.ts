import { isJsonObject } from '../../base/index.ts';
import { hasCondition } from '../apiextensions/index.ts';
import type { ScalePaths } from '../resources/index.ts';
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionVersion,
} from '../types/apiextensions-v1beta1.ts';
import type { WebhookClient } from '../webhook-client.ts';

/** One version of a definition, without what is only needed to look into objects. */
export interface VersionOutline {
  readonly name: string;
  readonly isServed: boolean;
  readonly isDeprecated: boolean;
  /** What clients of the version are warned of; undefined for the usual text. */
  readonly deprecationWarning: string | undefined;
  readonly hasStatus: boolean;
  readonly scale: ScalePaths | undefined;
}

/** What is kept of every definition, used or not: some hundred bytes, whatever the size of its schemas. */
export interface DefinitionOutline {
  /** `widgets.example.com` */
  readonly name: string;
  readonly uid: string;
  /** Grows with every change of what is wanted; versions with one generation have the same schemas and columns. */
  readonly generation: number;
  readonly group: string;
  readonly isNamespaced: boolean;
  /** As they were accepted; `plural` is empty before that. */
  readonly names: CustomResourceDefinitionNames;
  readonly versions: readonly VersionOutline[];
  readonly storageVersion: string;
  readonly conversion: 'None' | 'Webhook';
  /** Objects of the definition are served. */
  readonly isServing: boolean;
  /** It is in discovery too. */
  readonly isEstablished: boolean;
  readonly isTerminating: boolean;
  /** Some of the names that it wants are not accepted. */
  readonly hasConflict: boolean;
  /** All schemas are structural: clients are told of them. */
  readonly hasStructure: boolean;
}

/** The versions of a stored definition; those of old have just one, which stands apart. */
function versionsOf({ spec }: CustomResourceDefinition): readonly CustomResourceDefinitionVersion[] {
  if (spec.versions !== undefined && spec.versions.length > 0) return spec.versions;
  return spec.version ? [{ name: spec.version, served: true, storage: true }] : [];
}

/** Reads the outline of a definition in its storage version. It shares nothing with schemas. */
export function outlineOf(definition: CustomResourceDefinition): DefinitionOutline {
  const { metadata, spec, status } = definition;
  const versions = versionsOf(definition);
  const isEstablished = hasCondition(definition, 'Established');
  return {
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    generation: metadata.generation ?? 0,
    group: spec.group,
    isNamespaced: spec.scope === 'Namespaced',
    names: status.acceptedNames,
    versions: versions.map((version) => {
      const { status: statusRules, scale } = version.subresources ?? spec.subresources ?? {};
      return {
        name: version.name,
        isServed: version.served,
        isDeprecated: version.deprecated === true,
        deprecationWarning: version.deprecationWarning,
        hasStatus: statusRules !== undefined,
        scale,
      };
    }),
    storageVersion: versions.find(({ storage }) => storage)?.name ?? '',
    conversion: spec.conversion?.strategy === 'Webhook' ? 'Webhook' : 'None',
    isServing: isEstablished || hasCondition(definition, 'NamesAccepted'),
    isEstablished,
    isTerminating: hasCondition(definition, 'Terminating'),
    hasStructure: !hasCondition(definition, 'NonStructuralSchema'),
    hasConflict: (status.conditions ?? []).some((c) => c.type === 'NamesAccepted' && c.status === 'False'),
  };
}

/** What is needed of a version to look into its objects. */
export interface VersionDetails {
  /** Schema in OpenAPI v3, as the definition has it. */
  readonly schema: unknown;
  readonly columns: readonly CustomResourceColumnDefinition[];
  /** Unknown fields stay in objects of every version. */
  readonly preservesUnknownFields: boolean;
  /** No models can be made of the definition's schemas, so that owners of fields know no types. */
  readonly lacksModels: boolean;
}

/**
 * Schema and columns of a version: its own, or those of all versions.
 *
 * @param extensionPrefix of fields that extend schemas, with its dash.
 */
export function detailsOf(
  definition: CustomResourceDefinition,
  versionName: string,
  extensionPrefix: string,
): VersionDetails {
  const { spec } = definition;
  const version = versionsOf(definition).find(({ name }) => name === versionName);
  return {
    schema: (version?.schema ?? spec.validation)?.openAPIV3Schema,
    columns: version?.additionalPrinterColumns ?? spec.additionalPrinterColumns ?? [],
    preservesUnknownFields: spec.preserveUnknownFields !== false,
    // Most who read a schema do not ask.
    get lacksModels() {
      return [spec.validation, ...versionsOf(definition).map(({ schema }) => schema)].some((each) =>
        breaksModels(each?.openAPIV3Schema, extensionPrefix),
      );
    },
  };
}

/**
 * Whether release 1.20 can make no models of a schema: those of lists say what is in them, and it writes `anyOf`, which models
 * do not have, into what is a number or a text. What only checks values is left out of models, and breaks none.
 */
function breaksModels(schema: unknown, prefix: string): boolean {
  if (!isJsonObject(schema)) return false;
  const { type, items, additionalProperties, properties } = schema;
  if (schema[`${prefix}int-or-string`] === true || (type === 'array' && !isJsonObject(items))) return true;
  const members = isJsonObject(properties) ? Object.values(properties) : [];
  return [items, additionalProperties, ...members].some((each) => breaksModels(each, prefix));
}

/** The webhook that converts objects of a definition. */
export interface ConversionWebhook {
  readonly client: WebhookClient & { readonly caBundle?: string | undefined };
  /** Versions of reviews that it takes, the preferred one first. */
  readonly reviewVersions: readonly string[];
}

/** How a definition has its objects converted. */
export function webhookOf({ spec: { conversion } }: CustomResourceDefinition): ConversionWebhook {
  return {
    client: conversion?.webhookClientConfig ?? {},
    reviewVersions: conversion?.conversionReviewVersions ?? [],
  };
}
