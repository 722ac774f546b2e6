# One image for every service; the first argument names it:
#
#     docker build -t millrace .
#     docker run millrace broker --kafka.broker.id=0 --kafka.zookeeper.connect=zookeeper:2181
#
# The jars come from the build (mvn package). No RUN --mount, no heredoc: any Docker builder takes it.

FROM eclipse-temurin:25-jre AS layers
COPY standalone/target/dist/lib /build
# Libraries and services apart, since the former seldom change; fixed times, so that an unchanged layer stays the same.
RUN mkdir -p /libraries /services \
 && cd /build && mv millrace-*.jar controller-service-*.jar broker-service-*.jar coordinator-service-*.jar admin-api-*.jar \
    standalone-*.jar /services/ \
 && mv *.jar /libraries/ \
 && touch -d '2026-01-01 00:00:00' /libraries/*.jar /services/*.jar

FROM eclipse-temurin:25-jre
COPY --from=layers /libraries /opt/millrace/lib
COPY --from=layers /services /opt/millrace/lib
# The start-up cache is made by running all roles for a moment, with the JVM and the jars that it is for.
RUN java -Xmx128m -XX:+UseSerialGC -cp '/opt/millrace/lib/*' io.millrace.standalone.launcher.ImageSetup \
 && rm -rf /tmp/* /opt/millrace/millrace.aot.* \
 && mkdir -p /var/lib/millrace /etc/millrace && chown 10001:10001 /var/lib/millrace

# Nothing is written but what lies under /var/lib/millrace and /tmp (natives of the network: not noexec); the rest may be
# read-only.
ENV KAFKA_LOG_DIRS=/var/lib/millrace/data \
    JDK_JAVA_OPTIONS="-XX:MaxRAMPercentage=60"
USER 10001:10001
WORKDIR /var/lib/millrace
EXPOSE 8080 9092 9190
# A small JVM for each question, some 0.07 s of CPU; Kubernetes asks by HTTP and has none of it.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["java", "@/opt/millrace/health.args"]
ENTRYPOINT ["java", "@/opt/millrace/service.args", "io.millrace.standalone.image.ImageMain"]

# Last, so that another revision with the same jars costs no other start-up cache.
ARG VERSION=dev
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Millrace" \
      org.opencontainers.image.description="Event streaming that speaks the Kafka protocol, as services that scale and fail apart" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
