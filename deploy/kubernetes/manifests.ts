/**
 * The service in Kubernetes: webs and workers that are replaced without a call failing, and workers by the age of the oldest work.
 * PostgreSQL and Redis are somebody else's (an operator's, a provider's); the secret `partbook` says where they are. Put in your image.
 */
import type { IDeployment as Deployment } from 'kubernetes-models/apps/v1';
import type {
  IHorizontalPodAutoscaler as HorizontalPodAutoscaler,
  IMetricSpec as MetricSpec,
} from 'kubernetes-models/autoscaling/v2';
import type { IJob as Job } from 'kubernetes-models/batch/v1';
import type { IPodDisruptionBudget as PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import type { IContainer as Container, IPodSpec as PodSpec, IService as Service } from 'kubernetes-models/v1';

type Manifest = Deployment | HorizontalPodAutoscaler | Job | Service | PodDisruptionBudget;

export const IMAGE = 'registry.example/partbook:latest';
export const SECRET = 'partbook';
/** Longer than SHUTDOWN_SECONDS (25), which has the time of DRAIN_SECONDS in it. */
export const GRACE_SECONDS = 40;
const METRICS_PORT = 9464;

/** Of the secret: what the service logs in as, and what alone the migration may know. */
const secret = (name: string) => ({ name, valueFrom: { secretKeyRef: { name: SECRET, key: name } } });
const ofService = ['DATABASE_URL', 'REDIS_URL', 'OPERATOR_TOKEN'].map(secret);

const labels = (role: string) => ({
  'app.kubernetes.io/name': 'partbook',
  'app.kubernetes.io/component': role,
});

function container(role: 'web' | 'worker' | 'migrate', more: Partial<Container>): Container {
  return {
    name: role,
    image: IMAGE,
    command: ['node', 'src/main.ts', role],
    // The service writes to /tmp alone.
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1000,
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
      seccompProfile: { type: 'RuntimeDefault' },
    },
    volumeMounts: [{ name: 'scratch', mountPath: '/tmp' }],
    ...more,
    env: [
      ...ofService,
      { name: 'CACHE_DIR', value: '/tmp/cache' },
      { name: 'METRICS_PORT', value: String(METRICS_PORT) },
      { name: 'METRICS_HOST', value: '0.0.0.0' },
      ...(more.env ?? []),
    ],
  };
}

function pod(role: 'web' | 'worker' | 'migrate', more: Partial<Container>): PodSpec {
  return {
    containers: [container(role, more)],
    volumes: [{ name: 'scratch', emptyDir: { sizeLimit: '256Mi' } }],
    terminationGracePeriodSeconds: GRACE_SECONDS,
    automountServiceAccountToken: false,
  };
}

const spread = (role: string): Partial<PodSpec> => ({
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'ScheduleAnyway',
      labelSelector: { matchLabels: labels(role) },
    },
  ],
});

function deployment(role: 'web' | 'worker', spec: PodSpec): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: `partbook-${role}`, labels: labels(role) },
    spec: {
      // The autoscaler says how many.
      selector: { matchLabels: labels(role) },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      template: {
        metadata: {
          labels: labels(role),
          annotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': String(METRICS_PORT) },
        },
        spec: { ...spec, ...spread(role) },
      },
    },
  };
}

const migrate: Job = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'partbook-migrate', labels: labels('migrate') },
  spec: {
    backoffLimit: 6,
    ttlSecondsAfterFinished: 3600,
    template: {
      metadata: { labels: labels('migrate') },
      spec: {
        ...pod('migrate', {
          env: [secret('DATABASE_MIGRATION_URL')],
          resources: { requests: { cpu: '100m', memory: '256Mi' }, limits: { memory: '512Mi' } },
        }),
        restartPolicy: 'OnFailure',
      },
    },
  },
};

/**
 * Ready answers 503 as soon as the web is asked to stop, and it serves on for DRAIN_SECONDS: two probes find it out, and what
 * was sent by those who have not heard of it is answered.
 */
const web = deployment(
  'web',
  pod('web', {
    ports: [
      { name: 'http', containerPort: 3000 },
      { name: 'metrics', containerPort: METRICS_PORT },
    ],
    env: [
      { name: 'HOST', value: '0.0.0.0' },
      // The ingress in front; more of them, a higher number.
      { name: 'TRUST_PROXY', value: '1' },
    ],
    startupProbe: { httpGet: { path: '/health/live', port: 'http' }, periodSeconds: 1, failureThreshold: 60 },
    readinessProbe: {
      httpGet: { path: '/health/ready', port: 'http' },
      periodSeconds: 2,
      failureThreshold: 2,
      timeoutSeconds: 3,
    },
    livenessProbe: {
      httpGet: { path: '/health/live', port: 'http' },
      periodSeconds: 10,
      failureThreshold: 3,
      timeoutSeconds: 5,
    },
    resources: { requests: { cpu: '500m', memory: '512Mi' }, limits: { memory: '1Gi' } },
  }),
);

/** It has no port but that of its metrics: it is well while its loop writes its heartbeat. */
const worker = deployment(
  'worker',
  pod('worker', {
    ports: [{ name: 'metrics', containerPort: METRICS_PORT }],
    startupProbe: {
      exec: { command: ['node', 'src/operations/check-heartbeat.ts'] },
      periodSeconds: 2,
      failureThreshold: 60,
      timeoutSeconds: 5,
    },
    livenessProbe: {
      exec: { command: ['node', 'src/operations/check-heartbeat.ts'] },
      periodSeconds: 20,
      failureThreshold: 3,
      timeoutSeconds: 10,
    },
    resources: { requests: { cpu: '1', memory: '768Mi' }, limits: { memory: '1536Mi' } },
  }),
);

const service: Service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'partbook', labels: labels('web') },
  spec: { selector: labels('web'), ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
};

const budget = (role: string): PodDisruptionBudget => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: `partbook-${role}`, labels: labels(role) },
  spec: { maxUnavailable: 1, selector: { matchLabels: labels(role) } },
});

function autoscaler(
  role: 'web' | 'worker',
  [minReplicas, maxReplicas]: [number, number],
  metrics: MetricSpec[],
): HorizontalPodAutoscaler {
  const name = `partbook-${role}`;
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name, labels: labels(role) },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
      minReplicas,
      maxReplicas,
      metrics,
      // Work comes in bursts: up at once, down when it has been calm for a while.
      behavior: { scaleDown: { stabilizationWindowSeconds: 600 } },
    },
  };
}

/** By an adapter that serves metrics of Prometheus (prometheus-adapter, KEDA): the oldest job that waits in any queue. */
export const OLDEST_WORK = 'partbook_queue_oldest_waiting_seconds';
const OLDEST_WORK_SECONDS = '10';

export const manifests: readonly Manifest[] = [
  migrate,
  web,
  service,
  worker,
  budget('web'),
  budget('worker'),
  autoscaler(
    'web',
    [2, 10],
    [
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } },
      },
    ],
  ),
  autoscaler(
    'worker',
    [2, 10],
    [
      {
        type: 'External',
        external: { metric: { name: OLDEST_WORK }, target: { type: 'Value', value: OLDEST_WORK_SECONDS } },
      },
    ],
  ),
];
