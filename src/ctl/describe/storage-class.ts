import { asJsonObject, asList, ownValue } from '../../base/index.ts';
import type { DescribeContext } from './describer.ts';
import { describeMarks } from './head.ts';
import { describeTerm } from './persistent-volume.ts';
import { asRecords, formatMap, formatTruth, goList, shownText } from './report.ts';
import { formatLocalTime } from './times.ts';

/** A storage class with what it makes volumes from. */
export async function describeStorageClass({ ctl, object, report }: DescribeContext): Promise<void> {
  const annotations = asJsonObject(object.metadata.annotations);
  const isDefault = ['storageclass', 'storageclass.beta'].some(
    (domain) => ownValue(annotations, ctl.dialect.domain(domain, 'is-default-class')) === 'true',
  );
  const options = asList(object.mountOptions);
  const topologies = asRecords(object.allowedTopologies);
  report.field(0, 'Name', object.metadata.name);
  report.field(0, 'IsDefaultClass', isDefault ? 'Yes' : 'No');
  report.annotationLine(annotations);
  report.field(0, 'Provisioner', object.provisioner);
  report.field(0, 'Parameters', formatMap(object.parameters));
  report.field(0, 'AllowVolumeExpansion', formatTruth(object.allowVolumeExpansion));
  if (options.length === 0) report.field(0, 'MountOptions', '<none>');
  else {
    report.line(0, 'MountOptions:');
    for (const option of options) report.line(1, shownText(option));
  }
  if (object.reclaimPolicy !== undefined) report.field(0, 'ReclaimPolicy', object.reclaimPolicy);
  if (object.volumeBindingMode !== undefined) report.field(0, 'VolumeBindingMode', object.volumeBindingMode);
  if (topologies.length > 0) report.field(0, 'AllowedTopologies', '');
  for (const [index, { matchLabelExpressions }] of topologies.entries()) {
    describeTerm(report, index, { level: 1, requirements: matchLabelExpressions });
  }
}

/** What storage drivers say of themselves on a node. */
export async function describeCsiNode(context: DescribeContext): Promise<void> {
  const { object, report } = context;
  const drivers = asRecords(asJsonObject(object.spec).drivers);
  report.field(0, 'Name', object.metadata.name);
  describeMarks(context);
  report.field(0, 'CreationTimestamp', formatLocalTime(object.metadata.creationTimestamp));
  report.line(0, 'Spec:');
  if (drivers.length > 0) report.line(1, 'Drivers:');
  for (const { name, nodeID, allocatable, topologyKeys } of drivers) {
    const { count } = asJsonObject(allocatable);
    report.line(2, `${shownText(name)}:`);
    report.field(3, 'Node ID', nodeID);
    if (count !== undefined) {
      report.line(3, 'Allocatables:');
      report.field(4, 'Count', count);
    }
    if (asList(topologyKeys).length > 0) report.field(3, 'Topology Keys', goList(topologyKeys));
  }
}
