import { ownValue } from '../../base/index.ts';

/** Words that Go writes in capitals when a name starts with them. */
const initialisms = new Set(
  (
    'api aws ca cidr cpu csi dns fc fs gce gid http https id ip ipc iscsi json llc mac nfs pid ptr qos rbd ' +
    'scsi se seLinux sl ssl tcp tls tty ttl udp uid uri url vm vlan wwid xfs'
  ).split(' '),
);
const leadingWord = /^[a-z0-9]+(?=[A-Z]|$)/;

/** Names that no rule gives. */
const exceptions: Readonly<Record<string, string>> = {
  seLinux: 'SELinux',
  seLinuxOptions: 'SELinuxOptions',
  lun: 'Lun',
  wwids: 'WWIDs',
  targetWWNs: 'TargetWWNs',
  gmsaCredentialSpec: 'GMSACredentialSpec',
  gmsaCredentialSpecName: 'GMSACredentialSpecName',
  iqn: 'IQN',
  cephfs: 'CephFS',
  storageos: 'StorageOS',
  pdName: 'PDName',
  diskURI: 'DataDiskURI',
  chapAuthDiscovery: 'DiscoveryCHAPAuth',
  chapAuthSession: 'SessionCHAPAuth',
  osImage: 'OSImage',
  serviceAccount: 'DeprecatedServiceAccount',
  lastState: 'LastTerminationState',
  externalID: 'DoNotUseExternalID',
  pool: 'RBDPool',
  reportingComponent: 'ReportingController',
  $ref: 'Ref',
  $schema: 'Schema',
};

const rbd = { monitors: 'CephMonitors', image: 'RBDImage', user: 'RadosUser' };
const glusterfs = { endpoints: 'EndpointsName' };

/** Names that no rule gives, which fields have in one type only. By the type's name without group and version. */
const exceptionsOfTypes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  RBDVolumeSource: rbd,
  RBDPersistentVolumeSource: rbd,
  GlusterfsVolumeSource: glusterfs,
  GlusterfsPersistentVolumeSource: glusterfs,
  SubjectAccessReviewSpec: { group: 'Groups' },
  Subject: { serviceAccount: 'ServiceAccount' },
};

/** Extension of a schema: `x-` and a product's name. */
const extension = /^x-[a-z]+-/;

const toCamelCase = (dashed: string): string =>
  dashed.replace(/-(\w?)/g, (_, letter: string) => letter.toUpperCase());

/** Go name of a field: `name` is `Name`, `apiVersion` is `APIVersion`. `type` is the key of the type that has it. */
export function goFieldName(jsonName: string, type = ''): string {
  const ofType = ownValue(exceptionsOfTypes, type.slice(type.lastIndexOf('.') + 1));
  const known = (ofType && ownValue(ofType, jsonName)) ?? ownValue(exceptions, jsonName);
  if (known !== undefined) return known;
  if (extension.test(jsonName)) return `X${toCamelCase(jsonName.replace(extension, '-'))}`;
  const word = leadingWord.exec(jsonName)?.[0] ?? '';
  if (initialisms.has(word)) return word.toUpperCase() + jsonName.slice(word.length);
  return jsonName.charAt(0).toUpperCase() + jsonName.slice(1);
}

/** Go name of a type: `apps/v1.Deployment` is `v1.Deployment`. */
export function goTypeName(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}

const goScalars: Readonly<Record<string, string>> = {
  double: 'float64',
  bytes: '[]uint8',
  any: 'interface {}',
};

/** Type as json-iterator prints it: `[]v1.Container`, `map[string]string`. */
export function goTypeOf(type: string): string {
  const list = listElement(type);
  if (list !== undefined) return `[]${goTypeOf(list)}`;
  const map = mapElement(type);
  if (map !== undefined) return `map[string]${goTypeOf(map)}`;
  return goScalars[type] ?? goTypeName(type);
}

/** `T` of `list<T>`. */
export function listElement(type: string): string | undefined {
  return type.startsWith('list<') ? type.slice(5, -1) : undefined;
}

/** `T` of `map<string,T>`. */
export function mapElement(type: string): string | undefined {
  return type.startsWith('map<string,') ? type.slice(11, -1) : undefined;
}
