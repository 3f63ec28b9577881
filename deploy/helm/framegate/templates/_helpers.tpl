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
      labels: {{- include "framegate.labels" . | nindent 8 }}
      annotations:
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
          envFrom:
            - configMapRef: { name: {{ .root.Release.Name }} }
            - secretRef: { name: {{ .root.Values.existingSecret }} }
          ports:
            {{- if eq .role "api" }}
            - { name: http, containerPort: 8080 }
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
      volumes:
        - name: files
          configMap: { name: {{ .root.Release.Name }}-files }
        - name: scratch
          emptyDir: { sizeLimit: {{ .root.Values.scratchSize }} }
        - name: compiled
          emptyDir: {}
        - name: tmp
          emptyDir: {}
{{- end }}
