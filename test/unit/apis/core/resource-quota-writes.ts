import { qualifiedPart } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const resourceQuotaWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'rq-a', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        hard: {
          pods: '10',
          'requests.cpu': '4',
          'limits.memory': '8Gi',
          'count/deployments.apps': '5',
          'requests.example.com/gpu': '1',
        },
        scopeSelector: {
          matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }],
        },
      },
    },
    status: { hard: { pods: '10' }, used: { pods: '3' } },
    accepted: [
      { '/spec/scopeSelector/matchExpressions': undefined },
      { '/spec': undefined },
      { '/metadata/name': 'a'.repeat(253) },
    ],
    refused: [
      [
        {
          '/spec/scopeSelector': {
            matchExpressions: [{ scopeName: 'BestEffort', operator: 'Exists' }],
          },
          '/spec/hard': { pods: '10', 'limits.memory': '8Gi' },
        },
        [
          'spec.scopeSelector.matchExpressions: Invalid value: core.ScopeSelector{MatchExpressions:[]core.ScopedResourceSelectorRequirement{core.ScopedResourceSelectorRequirement{ScopeName:"BestEffort", Operator:"Exists", Values:[]string(nil)}}}: unsupported scope applied to resource',
        ],
      ],
      [
        { '/metadata/name': 'a'.repeat(254) },
        [`metadata.name: Invalid value: "${'a'.repeat(254)}": must be no more than 253 characters`],
      ],
      [
        { '/metadata/name': 'a'.repeat(254), '/metadata/labels': { '': 'sample' } },
        [
          `metadata.name: Invalid value: "${'a'.repeat(254)}": must be no more than 253 characters`,
          'metadata.labels: Invalid value: "": name part must be non-empty',
          `metadata.labels: Invalid value: "": ${qualifiedPart}`,
        ],
      ],
    ],
    changed: [{ '/spec/scopeSelector': undefined }],
    kept: [
      [
        { '/spec/scopeSelector/matchExpressions/0/scopeName': 'NotTerminating' },
        [
          'spec.scopeSelector.matchExpressions.operator: Invalid value: "In": must be \'Exist\' only operator when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort and ResourceQuotaScopeNotBestEffort',
          'spec.scopeSelector.matchExpressions.operator: Invalid value: "In": must be \'Exist\' only operator when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort and ResourceQuotaScopeNotBestEffort',
        ],
      ],
      [
        { '/spec/scopeSelector/matchExpressions/0/operator': '../x' },
        [
          'spec.scopeSelector.matchExpressions.operator: Invalid value: "../x": not a valid selector operator',
          'spec.scopeSelector.matchExpressions.operator: Invalid value: "../x": not a valid selector operator',
        ],
      ],
    ],
    statusChanged: [
      { '/status/hard': { 'orch.io/y': '1' } },
      { '/status': undefined },
      { '/status/used': { memory: '1.5' } },
    ],
    statusKept: [
      [
        { '/status/used': { '': '1500m' } },
        [
          'status.used[]: Invalid value: "": name part must be non-empty',
          `status.used[]: Invalid value: "": ${qualifiedPart}`,
          'status.used[]: Invalid value: "": must be a standard resource for quota',
        ],
      ],
      [
        { '/status/hard': { [`${'a'.repeat(260)}/a`]: '1500m' } },
        [
          `status.hard[${'a'.repeat(260)}/a]: Invalid value: "${'a'.repeat(260)}/a": prefix part must be no more than 253 characters`,
        ],
      ],
      [
        { '/status/hard': { ['a'.repeat(64)]: '1500m' } },
        [
          `status.hard[${'a'.repeat(64)}]: Invalid value: "${'a'.repeat(64)}": name part must be no more than 63 characters`,
          `status.hard[${'a'.repeat(64)}]: Invalid value: "${'a'.repeat(64)}": must be a standard resource for quota`,
        ],
      ],
    ],
  },
];
