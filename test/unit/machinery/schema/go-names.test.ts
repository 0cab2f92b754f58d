import { expect } from 'chai';
import { goFieldName, listElement, mapElement } from '../../../../src/machinery/schema/index.ts';

describe('goFieldName', () => {
  // Names that clients see in messages, as the public Go types of the API have them.
  const rows: readonly (readonly [string, string])[] = [
    ['name', 'Name'],
    ['apiVersion', 'APIVersion'],
    ['apiGroups', 'APIGroups'],
    ['uid', 'UID'],
    ['tty', 'TTY'],
    ['clusterIP', 'ClusterIP'],
    ['externalIPs', 'ExternalIPs'],
    ['ip', 'IP'],
    ['ipFamilyPolicy', 'IPFamilyPolicy'],
    ['ipBlock', 'IPBlock'],
    ['podCIDRs', 'PodCIDRs'],
    ['hostIPC', 'HostIPC'],
    ['dnsPolicy', 'DNSPolicy'],
    ['fsGroupChangePolicy', 'FSGroupChangePolicy'],
    ['fsType', 'FSType'],
    ['httpGet', 'HTTPGet'],
    ['tcpSocket', 'TCPSocket'],
    ['tls', 'TLS'],
    ['caBundle', 'CABundle'],
    ['url', 'URL'],
    ['nonResourceURLs', 'NonResourceURLs'],
    ['awsElasticBlockStore', 'AWSElasticBlockStore'],
    ['gcePersistentDisk', 'GCEPersistentDisk'],
    ['gmsaCredentialSpec', 'GMSACredentialSpec'],
    ['nfs', 'NFS'],
    ['iscsi', 'ISCSI'],
    ['iqn', 'IQN'],
    ['rbd', 'RBD'],
    ['fc', 'FC'],
    ['csi', 'CSI'],
    ['cephfs', 'CephFS'],
    ['storageos', 'StorageOS'],
    ['scaleIO', 'ScaleIO'],
    ['pdName', 'PDName'],
    ['pdID', 'PdID'],
    ['diskURI', 'DataDiskURI'],
    ['lun', 'Lun'],
    ['wwids', 'WWIDs'],
    ['targetWWNs', 'TargetWWNs'],
    ['chapAuthDiscovery', 'DiscoveryCHAPAuth'],
    ['chapAuthSession', 'SessionCHAPAuth'],
    ['seLinuxOptions', 'SELinuxOptions'],
    ['seLinux', 'SELinux'],
    ['qosClass', 'QOSClass'],
    ['osImage', 'OSImage'],
    ['serviceAccount', 'DeprecatedServiceAccount'],
    ['serviceAccountName', 'ServiceAccountName'],
    ['reportingComponent', 'ReportingController'],
    ['ttlSecondsAfterFinished', 'TTLSecondsAfterFinished'],
    ['targetCPUUtilizationPercentage', 'TargetCPUUtilizationPercentage'],
    ['jsonPath', 'JSONPath'],
    ['openAPIV3Schema', 'OpenAPIV3Schema'],
    ['$ref', 'Ref'],
    ['$schema', 'Schema'],
    ['lastState', 'LastTerminationState'],
    ['externalID', 'DoNotUseExternalID'],
    ['pool', 'RBDPool'],
    ['id', 'ID'],
    ['x-orch-preserve-unknown-fields', 'XPreserveUnknownFields'],
    ['x-orch-list-map-keys', 'XListMapKeys'],
    ['identity', 'Identity'],
    ['ips', 'Ips'],
    ['setHostnameAsFQDN', 'SetHostnameAsFQDN'],
    ['constructor', 'Constructor'],
    ['', ''],
  ];
  for (const [json, name] of rows) {
    it(`of "${json}" is ${name}`, () => expect(goFieldName(json)).to.equal(name));
  }

  it('depends on the type for a few', () => {
    expect(goFieldName('image', 'v1.RBDVolumeSource')).to.equal('RBDImage');
    expect(goFieldName('user', 'v1.RBDPersistentVolumeSource')).to.equal('RadosUser');
    expect(goFieldName('monitors', 'v1.CephFSVolumeSource')).to.equal('Monitors');
    expect(goFieldName('endpoints', 'v1.GlusterfsVolumeSource')).to.equal('EndpointsName');
    expect(goFieldName('serviceAccount', 'flowcontrol.orch.io/v1beta1.Subject')).to.equal('ServiceAccount');
    expect(goFieldName('serviceAccount', 'v1.PodSpec')).to.equal('DeprecatedServiceAccount');
  });
});

describe('listElement and mapElement', () => {
  const rows: readonly (readonly [string, string | undefined, string | undefined])[] = [
    ['string', undefined, undefined],
    ['list<string>', 'string', undefined],
    ['list<list<x/v1.T>>', 'list<x/v1.T>', undefined],
    ['map<string,list<string>>', undefined, 'list<string>'],
    ['list<map<string,any>>', 'map<string,any>', undefined],
  ];
  for (const [type, list, map] of rows) {
    it(`take ${type} apart`, () => {
      expect(listElement(type)).to.equal(list);
      expect(mapElement(type)).to.equal(map);
    });
  }
});
