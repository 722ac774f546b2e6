{{/* Names. */}}
{{- define "millrace.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{- else -}}{{ printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" }}{{- end -}}
{{- end -}}
{{- end }}

{{- define "millrace.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}{{ default (include "millrace.fullname" .) .Values.serviceAccount.name }}{{- else -}}{{ default "default" .Values.serviceAccount.name }}{{- end -}}
{{- end }}

{{- define "millrace.image" -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end }}

{{/* Labels of a part: list of root and component. */}}
{{- define "millrace.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ default $root.Chart.Name $root.Values.nameOverride }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "millrace.labels" -}}
{{- $root := index . 0 -}}
{{ include "millrace.selector" . }}
app.kubernetes.io/part-of: millrace
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version }}
{{- with $root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The headless service of a component, and the name of one of its pods as all others resolve it. */}}
{{- define "millrace.headless" -}}
{{ include "millrace.fullname" (index . 0) }}-{{ index . 1 }}s
{{- end }}

{{- define "millrace.podDomain" -}}
{{- $root := index . 0 -}}
{{ include "millrace.headless" . }}.{{ $root.Release.Namespace }}.svc.{{ $root.Values.clusterDomain }}
{{- end }}

{{- define "millrace.zookeeper" -}}
{{- if .Values.zookeeper.enabled -}}
{{- $root := . -}}
{{- $hosts := list -}}
{{- range $i := until (int .Values.zookeeper.replicas) -}}
{{- $hosts = append $hosts (printf "%s-zookeeper-%d.%s:2181" (include "millrace.fullname" $root) $i (include "millrace.podDomain" (list $root "zookeeper"))) -}}
{{- end -}}
{{ join "," $hosts }}{{ .Values.zookeeper.chroot }}
{{- else -}}
{{ required "zookeeper.connect: needed where zookeeper.enabled is false" .Values.zookeeper.connect }}
{{- end -}}
{{- end }}

{{/* Settings of a service, as a file of properties: list of root, component and its values. */}}
{{- define "millrace.properties" -}}
{{- $root := index . 0 -}}
{{- $component := index . 1 -}}
{{- $values := index . 2 -}}
{{- $full := include "millrace.fullname" $root -}}
kafka.zookeeper.connect={{ include "millrace.zookeeper" $root }}
server.port=8080
{{- if $root.Values.logging.structured }}
logging.structured.format.console={{ $root.Values.logging.structured }}
{{- end }}
{{- if ne $component "admin-api" }}
millrace.http.advertised.host=${HOSTNAME}.{{ include "millrace.podDomain" (list $root $component) }}
millrace.node.first-id={{ default 0 $values.firstId }}
{{- else }}
millrace.http.advertised.host=${POD_IP}
{{- end }}
{{- if has $component (list "broker" "coordinator") }}
{{- $protocol := ternary "SSL" "PLAINTEXT" $root.Values.tls.enabled }}
kafka.listener.security.protocol.map=INTERNAL:{{ $protocol }},EXTERNAL:{{ $protocol }}
kafka.inter.broker.listener.name=INTERNAL
{{- if $root.Values.external.enabled }}
kafka.listeners=INTERNAL://:9092,EXTERNAL://:{{ $root.Values.external.port }}
kafka.advertised.listeners=INTERNAL://${HOSTNAME}.{{ include "millrace.podDomain" (list $root $component) }}:9092,EXTERNAL://${millrace.external.${HOSTNAME}}
{{- range $i := until (int $values.replicas) }}
millrace.external.{{ $full }}-{{ $component }}-{{ $i }}={{ include "millrace.externalHost" (list $root $values $i) }}:{{ include "millrace.externalPort" (list $root $values $i) }}
{{- end }}
{{- else }}
kafka.listeners=INTERNAL://:9092
kafka.advertised.listeners=INTERNAL://${HOSTNAME}.{{ include "millrace.podDomain" (list $root $component) }}:9092
{{- end }}
{{- if $root.Values.tls.enabled }}
kafka.ssl.keystore.location=/etc/millrace-tls/keystore.p12
kafka.ssl.truststore.location=/etc/millrace-tls/truststore.p12
{{- end }}
{{- end }}
{{- if eq $component "broker" }}
{{- $directories := list }}
{{- range $values.volumes }}{{- $directories = append $directories (printf "/var/lib/millrace/%s/log" .name) }}{{- end }}
kafka.log.dirs={{ join "," $directories }}
{{- end }}
{{- $three := min 3 (int $root.Values.broker.replicas) }}
{{- $defaults := dict "default.replication.factor" $three "offsets.topic.replication.factor" $three "transaction.state.log.replication.factor" $three "min.insync.replicas" (max 1 (sub $three 1)) "transaction.state.log.min.isr" (max 1 (sub $three 1)) }}
{{- range $name, $value := mergeOverwrite $defaults (deepCopy $root.Values.config) (deepCopy $values.config) }}
kafka.{{ $name }}={{ $value }}
{{- end }}
{{- end }}

{{- define "millrace.externalHost" -}}
{{- $root := index . 0 -}}{{- $values := index . 1 -}}{{- $i := index . 2 -}}
{{- if gt (len $values.external.hosts) $i -}}{{ index $values.external.hosts $i }}
{{- else if eq $root.Values.external.type "NodePort" -}}${HOST_IP}
{{- else -}}{{ fail "external.type LoadBalancer: broker.external.hosts and coordinator.external.hosts need a name for each pod" }}{{- end -}}
{{- end }}

{{- define "millrace.externalPort" -}}
{{- $root := index . 0 -}}{{- $values := index . 1 -}}{{- $i := index . 2 -}}
{{- if eq $root.Values.external.type "NodePort" -}}{{ add (int $values.external.firstNodePort) $i }}{{- else -}}{{ $root.Values.external.port }}{{- end -}}
{{- end }}

{{- define "millrace.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "millrace.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{/* What every pod has: list of root, component and its values. */}}
{{- define "millrace.scheduling" -}}
{{- $root := index . 0 -}}
{{- $values := index . 2 -}}
{{- with $root.Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with $values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with $values.affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{ include "millrace.selector" (list $root (index $ 1)) | nindent 8 }}
  {{- end }}
terminationGracePeriodSeconds: {{ $values.terminationGracePeriodSeconds }}
{{- end }}

{{/* The container of a service: list of root, component, its values and more volume mounts (text). */}}
{{- define "millrace.container" -}}
{{- $root := index . 0 -}}
{{- $component := index . 1 -}}
{{- $values := index . 2 -}}
- name: {{ $component }}
  image: {{ include "millrace.image" $root }}
  imagePullPolicy: {{ $root.Values.image.pullPolicy }}
  args: [{{ $component }}]
  env:
    - name: HOSTNAME
      valueFrom: {fieldRef: {fieldPath: metadata.name}}
    - name: HOST_IP
      valueFrom: {fieldRef: {fieldPath: status.hostIP}}
    - name: POD_IP
      valueFrom: {fieldRef: {fieldPath: status.podIP}}
    - name: JDK_JAVA_OPTIONS
      value: {{ $values.jvmOptions | quote }}
    - name: SPRING_CONFIG_ADDITIONAL_LOCATION
      value: file:/etc/millrace/service.properties,optional:file:/run/millrace/rack.properties
    {{- with $values.env }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  ports:
    - {name: http, containerPort: 8080}
    {{- if has $component (list "broker" "coordinator") }}
    - {name: kafka, containerPort: 9092}
    {{- if $root.Values.external.enabled }}
    - {name: external, containerPort: {{ $root.Values.external.port }}}
    {{- end }}
    {{- end }}
    {{- if eq $component "controller" }}
    - {name: stream, containerPort: 9190}
    {{- end }}
  # A service waits for ZooKeeper and its controller as long as it takes; it is alive while its loops turn, and ready once
  # it is registered, knows the metadata, and its replicas have caught up.
  startupProbe:
    httpGet: {path: /actuator/health/liveness, port: http}
    periodSeconds: 5
    failureThreshold: 360
  livenessProbe:
    httpGet: {path: /actuator/health/liveness, port: http}
    periodSeconds: 10
    timeoutSeconds: 5
    failureThreshold: 6
  readinessProbe:
    httpGet: {path: /actuator/health/readiness, port: http}
    periodSeconds: 5
    timeoutSeconds: 5
    failureThreshold: 2
  lifecycle:
    preStop:
      # Until others have heard that this pod is going; the drain itself is what SIGTERM begins.
      sleep: {seconds: 3}
  resources: {{ toYaml $values.resources | nindent 4 }}
  securityContext: {{ include "millrace.containerSecurity" $root | nindent 4 }}
  volumeMounts:
    - {name: config, mountPath: /etc/millrace, readOnly: true}
    - {name: tmp, mountPath: /tmp}
    {{- if and (eq $component "broker") $values.rack.fromNode }}
    - {name: rack, mountPath: /run/millrace, readOnly: true}
    {{- end }}
    {{- if $root.Values.tls.enabled }}
    - {name: tls, mountPath: /etc/millrace-tls, readOnly: true}
    {{- end }}
    {{- if eq $component "broker" }}
    {{- range $values.volumes }}
    - {name: {{ .name }}, mountPath: /var/lib/millrace/{{ .name }}}
    {{- end }}
    {{- end }}
{{- end }}

{{- define "millrace.volumes" -}}
{{- $root := index . 0 -}}
{{- $component := index . 1 -}}
- name: config
  configMap: {name: {{ include "millrace.fullname" $root }}-{{ $component }}}
- name: tmp
  emptyDir: {}
{{- if $root.Values.tls.enabled }}
- name: tls
  secret: {secretName: {{ required "tls.secretName: needed where tls.enabled is true" $root.Values.tls.secretName }}}
{{- end }}
{{- end }}

{{/* Components as peers of a network policy: list of root and their names. */}}
{{- define "millrace.peers" -}}
{{- $root := index . 0 -}}
{{- range index . 1 }}
- podSelector:
    matchLabels: {{ include "millrace.selector" (list $root .) | nindent 6 }}
{{- end }}
{{- end }}
