import type { KindRules } from '../kind-rules.ts';
import type { CustomResourceDefinition } from '../types/apiextensions-v1beta1.ts';
import { validateApprovalAnnotation } from './approval.ts';
import { cleanupFinalizer, decideTerminating } from './definition-status.ts';
import {
  describeDefinitionName,
  validateDefinition,
  validateDefinitionUpdate,
  validatePreserveFlag,
  validateStatusNames,
} from './definition-validation.ts';
import { stopAtNullEnums } from './null-enums.ts';
import { compileSchemaRulesOf, dropRules } from './schema-rule-switch.ts';

/** What the deletion of a definition begins with. */
const announcement = {
  status: 'True',
  reason: 'InstanceDeletionPending',
  message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
};

/**
 * Definitions of custom resources. Errors name fields as the stored version does: schemas and columns that all
 * versions share stand at the top.
 */
export const customResourceDefinitionRules: KindRules<CustomResourceDefinition> = {
  hasStatus: true,
  hasGeneration: true,
  isUntyped: true,
  allowsUnconditionalUpdate: false,
  validateName: describeDefinitionName,
  allowsAnyFinalizer: true,
  compileSteps: ({ spec }, _, context) => compileSchemaRulesOf(spec, context),
  prepareForCreate(definition, context) {
    stopAtNullEnums(definition, context);
    dropRules(definition, context);
    const stored = definition.spec.versions?.find(({ storage }) => storage);
    definition.status = {
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: stored === undefined ? null : [stored.name],
    };
  },
  prepareForUpdate(definition, old, context) {
    stopAtNullEnums(definition, context);
    dropRules(definition, context);
    definition.status = { ...old.status };
    const stored = definition.spec.versions?.find(({ storage }) => storage);
    const known = old.status.storedVersions ?? [];
    if (stored !== undefined && !known.includes(stored.name)) {
      definition.status.storedVersions = [...known, stored.name];
    }
  },
  // Like namespaces they end by a way of their own: the first deletion only marks them.
  isReadyToRemove: () => true,
  prepareForDelete(definition, { dialect, now }) {
    const finalizer = cleanupFinalizer(dialect);
    const { metadata, status } = definition;
    if (metadata.finalizers?.includes(finalizer) !== true) {
      metadata.finalizers = [...(metadata.finalizers ?? []), finalizer];
    }
    definition.status = decideTerminating(status, announcement, now);
  },
  validate: (definition, context) => [
    ...validateDefinition(definition, context),
    ...validateApprovalAnnotation(definition, undefined, context),
    ...validatePreserveFlag(definition, undefined, context),
  ],
  validateUpdate: (definition, old, context) => [
    ...validateDefinitionUpdate(definition, old, context),
    ...validateApprovalAnnotation(definition, old, context),
    ...validatePreserveFlag(definition, old, context),
  ],
  status: {
    // Finalizers may be written with a status, unlike other metadata.
    prepareForUpdate(definition, old) {
      definition.spec = old.spec;
      const { labels, annotations, ownerReferences } = old.metadata;
      definition.metadata = { ...definition.metadata, labels, annotations, ownerReferences };
    },
    validateUpdate: validateStatusNames,
  },
};
