{{/*
Parts of several templates. Most take a list: the scope, and the name of a workload.
*/}}
{{- define "gatehouse.name" -}}
{{- $release := (index . 0).Release.Name -}}
{{- if gt (len $release) 40 }}{{ fail "The name of the release may have at most 40 characters, to leave room for suffixes" }}{{ end -}}
{{ $release }}{{ if ne (index . 1) "gatehouse" }}-{{ index . 1 }}{{ end }}
{{- end }}

{{- define "gatehouse.metadata" -}}
metadata:
  name: {{ include "gatehouse.name" . }}
  labels:
    helm.sh/chart: {{ (index . 0).Chart.Name }}-{{ (index . 0).Chart.Version | replace "+" "_" }}
    app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
    app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
    {{- include "gatehouse.podLabels" . | nindent 4 }}
{{- end }}

{{/* No version: a selector cannot be changed. */}}
{{- define "gatehouse.selector" -}}
{ app.kubernetes.io/name: {{ index . 1 }}, app.kubernetes.io/instance: {{ (index . 0).Release.Name | quote }} }
{{- end }}

{{- define "gatehouse.podLabels" -}}
app.kubernetes.io/name: {{ index . 1 }}
app.kubernetes.io/instance: {{ (index . 0).Release.Name | quote }}
app.kubernetes.io/part-of: gatehouse
{{- end }}

{{/* Takes the scope, and a list of workloads. */}}
{{- define "gatehouse.podsNamed" -}}
matchLabels: { app.kubernetes.io/instance: {{ (index . 0).Release.Name | quote }} }
matchExpressions:
  - { key: app.kubernetes.io/name, operator: In, values: [{{ index . 1 | join ", " }}] }
{{- end }}

{{/* Takes the scope, and the user. */}}
{{- define "gatehouse.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: {{ index . 1 }}
  runAsGroup: {{ index . 1 }}
  fsGroup: {{ index . 1 }}
  seccompProfile: { type: RuntimeDefault }
{{- with (index . 0).Values.pods }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "gatehouse.spread" -}}
topologySpreadConstraints:
  {{- $selector := include "gatehouse.selector" . }}
  {{- range tuple "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{ $selector }}
    matchLabelKeys: [pod-template-hash]
  {{- end }}
{{- end }}

{{/* Takes the scope. */}}
{{- define "gatehouse.image" -}}
{{- $image := .Values.image -}}
image: {{ $image.repository }}{{ if $image.digest }}@{{ $image.digest }}{{ else }}:{{ $image.tag | default .Chart.AppVersion }}{{ end }}
imagePullPolicy: {{ $image.pullPolicy }}
{{- end }}

{{- define "gatehouse.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{/* Takes the path of readiness. */}}
{{- define "gatehouse.probes" -}}
livenessProbe:
  httpGet: { path: /health/alive, port: http }
  periodSeconds: 10
  timeoutSeconds: 3
  failureThreshold: 3
readinessProbe:
  httpGet: { path: {{ . | quote }}, port: http }
  periodSeconds: 5
  timeoutSeconds: 3
  failureThreshold: 2
{{- end }}

{{/* Takes the name of a Secret, and a list of its keys. */}}
{{- define "gatehouse.volumes" -}}
- name: secrets
  secret:
    secretName: {{ index . 0 }}
    defaultMode: 288 # 0440
    items:
      {{- range index . 1 }}
      - { key: {{ . }}, path: {{ . }} }
      {{- end }}
- { name: tmp, emptyDir: { sizeLimit: 64Mi } }
{{- end }}
