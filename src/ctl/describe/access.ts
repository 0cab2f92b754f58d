import type { PolicyRule } from '../../apis/types/rbac-authorization-v1.ts';
import { asJsonObject, asList, asText, ownValue } from '../../base/index.ts';
import { StatusError } from '../../machinery/errors/index.ts';
import { ruleCells } from '../auth/index.ts';
import type { DescribeContext } from './describer.ts';
import { describeHead, describeMarks } from './head.ts';
import { asRecords, type Fields } from './report.ts';

/** A role, of a namespace or of the cluster, with what it allows. */
export async function describeRole(context: DescribeContext): Promise<void> {
  const { object, report } = context;
  report.field(0, 'Name', object.metadata.name);
  describeMarks(context);
  report.line(0, 'PolicyRule:');
  report.line(1, 'Resources\tNon-Resource URLs\tResource Names\tVerbs');
  report.line(1, '---------\t-----------------\t--------------\t-----');
  for (const cells of ruleCells(asRecords(object.rules).map(toRule))) report.row(1, cells);
}

function toRule(rule: Fields): PolicyRule {
  const texts = (field: string) => asList(rule[field]).map(asText);
  return {
    verbs: texts('verbs'),
    apiGroups: texts('apiGroups'),
    resources: texts('resources'),
    resourceNames: texts('resourceNames'),
    nonResourceURLs: texts('nonResourceURLs'),
  };
}

/** A binding with its role and those who have it. */
export async function describeRoleBinding(context: DescribeContext): Promise<void> {
  const { object, report } = context;
  const { kind, name } = asJsonObject(object.roleRef);
  report.field(0, 'Name', object.metadata.name);
  describeMarks(context);
  report.line(0, 'Role:');
  report.field(1, 'Kind', kind);
  report.field(1, 'Name', name);
  report.line(0, 'Subjects:');
  report.line(1, 'Kind\tName\tNamespace');
  report.line(1, '----\t----\t---------');
  for (const subject of asRecords(object.subjects)) {
    report.row(1, [subject.kind, subject.name, subject.namespace]);
  }
}

/** A service account with its secrets, of which those that are missing are marked. */
export async function describeServiceAccount(context: DescribeContext): Promise<void> {
  const { ctl, object, report } = context;
  const { name, uid } = object.metadata;
  const secrets = await readSecrets(context);
  const tokens = secrets?.filter(({ type, metadata }) => {
    const annotations = asJsonObject(asJsonObject(metadata).annotations);
    const own = (mark: string) => ownValue(annotations, ctl.dialect.label(`service-account.${mark}`));
    return type === ctl.dialect.label('service-account-token') && own('name') === name && own('uid') === uid;
  });
  const known = secrets && new Set(secrets.map(nameOf));
  describeHead(context);
  for (const [label, names] of [
    ['Image pull secrets', asRecords(object.imagePullSecrets).map((secret) => asText(secret.name))],
    ['Mountable secrets', asRecords(object.secrets).map((secret) => asText(secret.name))],
    ['Tokens', (tokens ?? []).map(nameOf)],
  ] as const) {
    report.list(
      0,
      label,
      names.map((one) => (known?.has(one) === false ? `${one} (not found)` : one)),
    );
  }
}

const nameOf = ({ metadata }: Fields): string => asText(asJsonObject(metadata).name);

/** Undefined for those who may not read secrets. */
async function readSecrets({ ctl, object }: DescribeContext): Promise<readonly Fields[] | undefined> {
  const client = await ctl.client();
  const path = `/api/v1/namespaces/${encodeURIComponent(object.metadata.namespace ?? '')}/secrets`;
  try {
    const list = await client.json<{ items?: unknown }>({ method: 'GET', path, signal: ctl.io.signal });
    return asRecords(list.items);
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}
