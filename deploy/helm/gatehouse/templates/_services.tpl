{{/*
The services of the layout, by name, as YAML: what sets one apart from the others.
  values     its part of the values
  ports      of the container
  schema     whose migrations a Job runs before
  strategy   unless pods are replaced one by one
  readiness  path of the probe
  secrets    settings that are keys of its Secret
  settings   the others
*/}}
{{- define "gatehouse.services" -}}
{{- $url := required "url is missing: set the public address, such as https://id.example.com" .Values.url | quote -}}
{{- if eq .Values.layout "small" -}}
gatehouse:
  values: small
  ports: { http: 8080, admin: 8089, metrics: 9080 }
  {{- if not (has "REDIS_URL" .Values.small.secretKeys) }}
  # A second process on the same database refuses to start.
  strategy: { type: Recreate }
  {{- if or (gt (int .Values.small.replicas) 1) .Values.small.autoscaling.enabled }}
  {{- fail "More than one replica of small needs Redis: put REDIS_URL into its Secret and into small.secretKeys" }}
  {{- end }}
  {{- end }}
  readiness: /health/ready
  secrets: [DATABASE_URL, GATEHOUSE_SECRET]
  settings:
    SHUTDOWN_TIMEOUT: 30s
    EXTERNAL_URL: {{ $url }}
    ISSUER: {{ $url }}
    {{- if not .Values.console.enabled }}
    CONSOLE: 'off'
    {{- end }}
    {{- with .Values.trustedProxies }}
    CLIENT_IP_SOURCE: x-forwarded-for
    TRUSTED_PROXIES: {{ . | quote }}
    {{- end }}
{{- else -}}
{{- /* Only the gateway can reach the services, so its X-Forwarded-For is trusted. */ -}}
{{- $networks := "10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,100.64.0.0/10,fc00::/7" -}}
key-service:
  values: keyService
  ports: { http: 8081, metrics: 9081 }
  schema: key-service
  # Cached keys are verified without PostgreSQL, all keys without Redis: an outage of a store, which all pods
  # have at once, must not take the service away.
  readiness: /health/ready?exclude=redis&exclude=database
  secrets:
    - DATABASE_URL
    - REDIS_URL
    - ENCRYPTION_KEYS
    - HMAC_SECRETS
    - ADMIN_API_KEYS
    - MESSAGE_KEYS
    - VERDICT_SIGNING_KEY
    {{- if .Values.console.enabled }}
    - CONSOLE_ADMIN_KEY
    {{- end }}
  settings:
    EXTERNAL_URL: {{ $url }}
    ISSUER: {{ $url }}
    CLIENT_IP_SOURCE: x-forwarded-for
    TRUSTED_PROXIES: {{ $networks }}
dsync-api:
  values: dsyncApi
  ports: { http: 8082, metrics: 9082 }
  schema: dsync
  readiness: /health/ready
  secrets: [DATABASE_URL, REDIS_URL, ENCRYPTION_KEYS, API_KEYS, MESSAGE_KEYS, VERDICT_PUBLIC_KEYS]
  settings:
    EXTERNAL_URL: {{ $url }}
    CLIENT_IP_SOURCE: x-forwarded-for
    TRUSTED_PROXIES: {{ $networks }}
dsync-worker:
  values: dsyncWorker
  ports: { http: 8084, metrics: 9084 }
  readiness: /health/ready
  secrets:
    - DATABASE_URL
    - REDIS_URL
    - ENCRYPTION_KEYS
    - MESSAGE_KEYS
    - KEYS_DATABASE_URL
    - KEYS_ENCRYPTION_KEYS
    - FORMS_DATABASE_URL
    - FORMS_ENCRYPTION_KEYS
  settings:
    SHUTDOWN_TIMEOUT: 30s
    EXTERNAL_URL: {{ $url }}
identity-forms:
  values: identityForms
  ports: { http: 8083, metrics: 9083 }
  schema: identity-forms
  readiness: /health/ready
  secrets: [DATABASE_URL, REDIS_URL, ENCRYPTION_KEYS, ADMIN_API_KEYS, MESSAGE_KEYS, VERDICT_PUBLIC_KEYS]
  settings:
    PUBLIC_URL: {{ $url }}
    CLIENT_IP_SOURCE: x-forwarded-for
    TRUSTED_PROXIES: {{ $networks }}
{{- if .Values.console.enabled }}
console:
  values: console
  ports: { http: 8085, metrics: 9085 }
  schema: console
  readiness: /health/ready
  secrets: [DATABASE_URL, REDIS_URL, CONSOLE_ADMIN_KEY, CONSOLE_ENCRYPTION_KEYS]
  settings:
    GATEHOUSE_URL: http://{{ include "gatehouse.name" (list . "gateway-admin") }}
    CLIENT_IP_SOURCE: x-forwarded-for
    TRUSTED_PROXIES: {{ $networks }}
{{- end }}
{{- end }}
{{- end }}

{{/* The workload that serves the two surfaces. */}}
{{- define "gatehouse.front" -}}
{{ ternary "gatehouse" "gateway" (eq .Values.layout "small") }}
{{- end }}
