import { addAll } from '../../base/index.ts';
import {
  duplicate,
  type FieldError,
  fieldPath,
  forbiddenField,
  internalFieldError,
  invalidValue,
  quoteGo,
  VerbatimValue,
} from '../../machinery/errors/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import type { Node, NodeSpec } from '../types/core-v1.ts';
import {
  deepEqual,
  goStringList,
  goStruct,
  nameIsDnsSubdomain,
  parseCidr,
  validateResourceQuantity,
} from '../validation/index.ts';
import { validateNodeAnnotations } from './node-annotations.ts';
import { validateConfigSourceSpec, validateConfigStatus } from './node-config-source.ts';
import { validateTaints } from './taints.ts';

const podCidrsPath = fieldPath('spec', 'podCIDRs');
const annotationsPath = fieldPath('metadata', 'annotations');
/** Errors of the old style name the metadata as the place of taints. */
const taintsPath = fieldPath('metadata', 'taints');

/** Nodes. An agent registers its node with a status; later the status has its own way in. */
export const nodeRules: KindRules<Node> = {
  forgetsOldObject: true,
  hasStatus: true,
  keepsStatusOnCreate: true,
  validateName: nameIsDnsSubdomain,
  prepareForCreate(node, { gates }) {
    alignPodCidrs(node.spec);
    dropSecondRanges(node.spec, undefined, gates);
    if (gates.has(configGate)) return;
    delete node.spec.configSource;
    delete node.status.config;
  },
  prepareForUpdate(node, old, { gates }) {
    alignPodCidrs(node.spec);
    dropSecondRanges(node.spec, old.spec, gates);
    node.status = old.status;
    if (!gates.has(configGate) && old.spec.configSource === undefined) delete node.spec.configSource;
  },
  validate: (node, { dialect }) => validateNode(node, dialect),
  validateUpdate: validateNodeChange,
  status: {
    prepareForUpdate(node, old, { gates }) {
      node.spec = old.spec;
      if (!gates.has(configGate) && old.status.config === undefined) delete node.status.config;
    },
    validateUpdate: validateNodeChange,
  },
};

const configGate = 'DynamicNodeAgentConfig';

/** `podCIDR` and the first of `podCIDRs` are one value; the single field wins. */
function alignPodCidrs(spec: NodeSpec): void {
  if (spec.podCIDR) {
    if (spec.podCIDRs?.[0] !== spec.podCIDR) spec.podCIDRs = [spec.podCIDR];
  } else if (spec.podCIDRs?.[0]) spec.podCIDR = spec.podCIDRs[0];
}

/** Without the gate a node has one range, unless it had more before. */
function dropSecondRanges(spec: NodeSpec, old: NodeSpec | undefined, gates: ReadonlySet<string>): void {
  if (gates.has('IPv6DualStack') || (old?.podCIDRs?.length ?? 0) > 1) return;
  if (spec.podCIDRs !== undefined) spec.podCIDRs = spec.podCIDRs.slice(0, 1);
}

function validateNode(node: Node, dialect: RuleContext['dialect']): FieldError[] {
  const errors = validateNodeAnnotations(node.metadata.annotations, annotationsPath, dialect);
  addAll(errors, [...validateTaints(node.spec.taints, taintsPath), ...validateResources(node, dialect)]);
  validatePodCidrs(errors, node.spec.podCIDRs ?? []);
  return errors;
}

function validateResources({ status }: Node, dialect: RuleContext['dialect']): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ['capacity', 'allocatable'] as const) {
    for (const [name, quantity] of Object.entries(status[field] ?? {})) {
      errors.push(
        ...validateResourceQuantity({ resource: name, quantity }, fieldPath('status', field, name), dialect),
      );
    }
  }
  return errors;
}

function validatePodCidrs(errors: FieldError[], ranges: readonly string[]): void {
  const shown = goStringList(ranges);
  for (const [at, range] of ranges.entries()) {
    if (parseCidr(range) !== undefined) continue;
    errors.push(invalidValue(podCidrsPath.index(at), shown, 'must be valid CIDR'));
  }
  if (ranges.length < 2) return;
  const families = ranges.map((range) => parseCidr(range)?.first.family);
  const wrongAt = families.indexOf(undefined);
  if (wrongAt >= 0) {
    const problem = `invalid CIDR address: ${ranges[wrongAt]}`;
    const detail = `invalid PodCIDRs. failed to check with dual stack with error:${problem}`;
    errors.push(internalFieldError(podCidrsPath, detail));
  }
  if (ranges.length > 2 || wrongAt >= 0 || new Set(families).size < 2) {
    errors.push(invalidValue(podCidrsPath, shown, 'may specify no more than one CIDR for each IP family'));
  }
  const seen = new Set<string>();
  for (const [at, range] of ranges.entries()) {
    if (seen.has(range)) errors.push(duplicate(podCidrsPath.index(at), range));
    seen.add(range);
  }
}

/** What an update may change: metadata, status, taints, schedulability, and some fields that were empty. */
function validateNodeChange(node: Node, old: Node, { dialect }: RuleContext): FieldError[] {
  const errors = validateNodeAnnotations(node.metadata.annotations, annotationsPath, dialect);
  addAll(errors, [...validateResources(node, dialect), ...validateAddresses(node)]);
  const before = old.spec.podCIDRs ?? [];
  const after = node.spec.podCIDRs ?? [];
  if (before.length > 0) {
    const changes =
      before.length === after.length ? before.filter((range, at) => range !== after[at]).length : 1;
    const detail = 'node updates may not change podCIDR except from "" to valid';
    for (let count = 0; count < changes; count++) errors.push(forbiddenField(podCidrsPath, detail));
  }
  if (old.spec.providerID && old.spec.providerID !== node.spec.providerID) {
    const detail = 'node updates may not change providerID except from "" to valid';
    errors.push(forbiddenField(fieldPath('spec', 'providerID'), detail));
  }
  const { configSource } = node.spec;
  const { config } = node.status;
  if (configSource !== undefined) errors.push(...validateConfigSourceSpec(configSource, dialect));
  if (config !== undefined) errors.push(...validateConfigStatus(config, dialect));
  addAll(errors, validateTaints(node.spec.taints, taintsPath));
  if (!deepEqual(protectedFields(node.spec, node.spec), protectedFields(old.spec, node.spec))) {
    const gate = dialect.spell(configGate);
    const detail = `node updates may only change labels, taints, or capacity (or configSource, if the ${gate} feature gate is enabled)`;
    // Release 1.20 prints the path of the whole object as an index without a text.
    errors.push(forbiddenField(fieldPath('[]'), detail));
  }
  return errors;
}

/** Fields of the spec that may not change; those that are still empty count as already having the new value. */
const protectedFields = (spec: NodeSpec, next: NodeSpec): Record<string, unknown> => ({
  podCIDRs: spec.podCIDRs?.length ? spec.podCIDRs : next.podCIDRs,
  providerID: spec.providerID || next.providerID,
  externalID: spec.externalID,
});

function validateAddresses({ status }: Node): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [at, { type, address }] of (status.addresses ?? []).entries()) {
    const identity = `${type} ${address}`;
    if (seen.has(identity)) {
      const shown = goStruct('core.NodeAddress', [
        ['Type', quoteGo(type)],
        ['Address', quoteGo(address)],
      ]);
      errors.push(duplicate(fieldPath('status', 'addresses').index(at), new VerbatimValue(shown)));
    }
    seen.add(identity);
  }
  return errors;
}
