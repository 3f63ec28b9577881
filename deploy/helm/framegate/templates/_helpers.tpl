{{- define "framegate.labels" -}}
app.kubernetes.io/name: framegate
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .role }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{- define "framegate.name" -}}
{{- printf "%s%s" .root.Release.Name (ternary (printf "-%s" .role) "" (not (empty .role))) | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* Where pods run: the role's own values, or those for all. Takes root and values. */}}
{{- define "framegate.placement" -}}
{{- range $name := list "nodeSelector" "tolerations" "affinity" }}
{{- with get $.values $name | default (get $.root.Values $name) }}
{{ $name }}: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}

{{/* What both Deployments have in common. Takes root, role, and the role's values. */}}
{{- define "framegate.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "framegate.name" . }}
  labels: {{- include "framegate.labels" . | nindent 4 }}
spec:
  {{- if not .values.autoscaling.enabled }}
  replicas: {{ .values.replicas }}
  {{- end }}
  selector:
    matchLabels: {{- include "framegate.labels" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- with .root.Values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
        {{- include "framegate.labels" . | nindent 8 }}
      annotations:
        {{- with .root.Values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
        checksum/settings: {{ include (print .root.Template.BasePath "/configmap.yaml") .root | sha256sum }}
    spec:
      serviceAccountName: {{ .root.Release.Name }}
      automountServiceAccountToken: false
      terminationGracePeriodSeconds: {{ .root.Values.terminationGracePeriodSeconds }}
      {{- with .root.Values.imagePullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        runAsNonRoot: true
        runAsUser: 10001
        runAsGroup: 10001
        fsGroup: 10001
        seccompProfile: { type: RuntimeDefault }
      {{- with include "framegate.placement" . | trim }}
      {{- . | nindent 6 }}
      {{- end }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "framegate.labels" . | nindent 14 }}
      containers:
        - name: framegate
          image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          env:
            - { name: ROLE, value: {{ .role }} }
            # An api has room for short-lived objects of requests; a worker keeps its memory small with many
            # generations in flight (docs/deploy/capacity.md).
            - name: NODE_OPTIONS
              value: {{ ternary "--max-semi-space-size=32" "--max-old-space-size=1536 --max-semi-space-size=16" (eq .role "api") }}
            {{- with .root.Values.extraEnv }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          envFrom:
            - configMapRef: { name: {{ .root.Release.Name }} }
            - secretRef: { name: {{ .root.Values.existingSecret }} }
          ports:
            {{- if eq .role "api" }}
            - { name: http, containerPort: 8080 }
            {{- if .root.Values.operatorApi.enabled }}
            - { name: operator, containerPort: 8081 }
            {{- end }}
            {{- end }}
            - { name: metrics, containerPort: 9090 }
          {{- $port := ternary "http" "metrics" (eq .role "api") }}
          startupProbe:
            httpGet: { path: /healthz, port: {{ $port }} }
            periodSeconds: 2
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /healthz, port: {{ $port }} }
            timeoutSeconds: 5
          readinessProbe:
            httpGet: { path: /readyz, port: {{ $port }} }
            periodSeconds: 5
            timeoutSeconds: 5
          resources: {{- toYaml .values.resources | nindent 12 }}
          volumeMounts:
            - { name: files, mountPath: /etc/framegate, readOnly: true }
            - { name: scratch, mountPath: /var/lib/framegate }
            - { name: compiled, mountPath: /opt/framegate/node_modules/.cache }
            - { name: tmp, mountPath: /tmp }
            {{- with .root.Values.extraVolumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
      volumes:
        - name: files
          configMap: { name: {{ .root.Release.Name }}-files }
        - name: scratch
          emptyDir: { sizeLimit: {{ .root.Values.scratchSize }} }
        - name: compiled
          emptyDir: {}
        - name: tmp
          emptyDir: {}
        {{- with .root.Values.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
{{- end }}
