import type { RuleWithOperations } from '../../../apis/types/admissionregistration-v1beta1.ts';
import { internalError, notFound } from '../../../machinery/errors/index.ts';
import type { ApiObject } from '../../../machinery/meta/index.ts';
import type { LabelSelector } from '../../../machinery/selectors/index.ts';
import type { AdmissionAttributes, VersionedResource } from '../../../registry/index.ts';
import type { AdmissionReader } from '../reader.ts';

/** Which requests somebody is asked about. */
export interface RequestMatcher {
  readonly rules: readonly MatchingRule[];
  readonly matchesEquivalents: boolean;
  readonly namespaceSelector: LabelSelector;
  readonly objectSelector: LabelSelector;
}

/** A rule of a webhook, or of a policy, which may name objects as well. */
export type MatchingRule = RuleWithOperations & { readonly resourceNames?: readonly string[] | undefined };

type Labels = Readonly<Record<string, string>>;

const configurationKinds: ReadonlySet<string> = new Set([
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
]);
const policyKinds: ReadonlySet<string> = new Set([
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
]);

/** Policies have no say in what could keep them from being removed: themselves, and webhooks. */
export const isPolicyOrConfiguration = (attributes: Pick<AdmissionAttributes, 'kind'>): boolean =>
  isConfiguration(attributes) ||
  (policyKinds.has(attributes.kind.kind) && attributes.kind.group.startsWith('admissionregistration.'));

/** Webhooks have no say in their own configurations, so that a bad one can be removed. */
export const isConfiguration = ({ kind }: Pick<AdmissionAttributes, 'kind'>): boolean =>
  configurationKinds.has(kind.kind) && kind.group.startsWith('admissionregistration.');

/**
 * The namespace of a request as webhooks see it: that of a namespace is the namespace itself.
 */
export function namespaceOf({ resource, namespace, name }: AdmissionAttributes): string {
  return isNamespaces(resource) ? name : namespace;
}

const isNamespaces = ({ group, resource }: { readonly group: string; readonly resource: string }): boolean =>
  resource === 'namespaces' && group === '';

/** The version in which rules name the resource of a request; undefined when they do not. */
export function matchRules(
  { rules, matchesEquivalents }: Pick<RequestMatcher, 'rules' | 'matchesEquivalents'>,
  attributes: AdmissionAttributes,
): VersionedResource | undefined {
  const { forms } = attributes;
  if (forms === undefined) return undefined;
  const { requested } = forms;
  if (rules.some((rule) => fits(rule, requested, attributes))) return requested;
  if (!matchesEquivalents) return undefined;
  const others = forms.equivalents().filter((one) => !isSame(one, requested));
  for (const rule of rules) {
    const found = others.find((one) => fits(rule, one, attributes));
    if (found !== undefined) return found;
  }
  return undefined;
}

const isSame = (a: VersionedResource, b: VersionedResource): boolean =>
  a.group === b.group && a.version === b.version && a.resource === b.resource;

function fits(rule: MatchingRule, one: VersionedResource, attributes: AdmissionAttributes): boolean {
  return (
    isNamed(rule.operations, attributes.operation) &&
    isNamed(rule.apiGroups, one.group) &&
    isNamed(rule.apiVersions, one.version) &&
    fitsScope(rule.scope, attributes) &&
    fitsName(rule.resourceNames, attributes.name) &&
    (rule.resources ?? []).some((text) => fitsResource(text, one.resource, attributes.subresource))
  );
}

const isNamed = (names: readonly string[] = [], name: string): boolean =>
  names.includes('*') || names.includes(name);

const fitsName = (names: readonly string[] = [], name: string): boolean =>
  names.length === 0 || names.includes(name);

function fitsScope(scope: string | undefined, attributes: AdmissionAttributes): boolean {
  if (scope === undefined || scope === '*') return true;
  const isOfCluster = isNamespaces(attributes.resource) || attributes.namespace === '';
  return scope === (isOfCluster ? 'Cluster' : 'Namespaced');
}

/** `RESOURCE` or `RESOURCE/SUBRESOURCE`, `*` for any on either side. */
function fitsResource(text: string, resource: string, subresource: string): boolean {
  const slash = text.indexOf('/');
  const wanted = slash < 0 ? text : text.slice(0, slash);
  const wantedSub = slash < 0 ? '' : text.slice(slash + 1);
  return (wanted === '*' || wanted === resource) && (wantedSub === '*' || wantedSub === subresource);
}

/**
 * The version in which somebody is asked about a request; undefined when it does not concern them.
 *
 * @throws StatusError 404 for a namespace that does not exist and whose labels are asked for.
 */
export function matchRequest(
  matcher: RequestMatcher,
  attributes: AdmissionAttributes,
  read: AdmissionReader,
): VersionedResource | undefined | Promise<VersionedResource | undefined> {
  const matched = matchRules(matcher, attributes);
  if (matched === undefined || !fitsObjects(matcher.objectSelector, attributes)) return undefined;
  const { namespaceSelector } = matcher;
  const labels = namespaceLabels(matcher, attributes, read);
  if (labels instanceof Promise)
    return labels.then((found) => (namespaceSelector.matches(found) ? matched : undefined));
  return labels === 'any' || namespaceSelector.matches(labels) ? matched : undefined;
}

function fitsObjects(selector: LabelSelector, { object, oldObject }: AdmissionAttributes): boolean {
  if (selector.isEmpty) return true;
  // Options of connections have no metadata, and so no labels that could be looked at.
  const fitsOne = (one: ApiObject | undefined): boolean =>
    one?.metadata !== undefined && selector.matches(one.metadata.labels ?? {});
  return fitsOne(object) || fitsOne(oldObject);
}

/** Labels of the request's namespace; `any` where they do not matter. */
function namespaceLabels(
  { namespaceSelector }: RequestMatcher,
  attributes: AdmissionAttributes,
  read: AdmissionReader,
): Labels | 'any' | Promise<Labels> {
  if (namespaceSelector.isEmpty) return 'any';
  const { resource, subresource, operation, object } = attributes;
  const name = namespaceOf(attributes);
  if (isNamespaces(resource)) {
    // What is written of a namespace counts at once.
    if (subresource === '' && (operation === 'CREATE' || operation === 'UPDATE')) {
      if (object === undefined) throw internalError('a namespace is written without one');
      return object.metadata.labels ?? {};
    }
  } else if (name === '') return 'any';
  const found = read.namespace(name);
  if (found !== undefined) return found.metadata.labels ?? {};
  return read.currentNamespace(name).then((late) => {
    if (late === undefined) throw notFound({ group: '', resource: 'namespaces' }, name);
    return late.metadata.labels ?? {};
  });
}
