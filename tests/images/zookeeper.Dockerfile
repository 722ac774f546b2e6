# For tests where no registry of images is reached: stands for zookeeper:3.9, with that release's own server.
FROM millrace:dev
USER 0
RUN mkdir -p /data /datalog && chown 10001:10001 /data /datalog
USER 10001:10001
HEALTHCHECK NONE
LABEL io.millrace.tests=zookeeper
ENTRYPOINT ["java", "-Xmx128m", "@/opt/millrace/service.args", "-Dlogback.configurationFile=millrace-plain-logback.xml", \
    "io.millrace.standalone.zookeeper.ZooKeeperProcess", "--address=0.0.0.0:2181", "--data=/data"]
