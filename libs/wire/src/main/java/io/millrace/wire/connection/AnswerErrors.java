package io.millrace.wire.connection;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;

import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/// The error that an answer carries as a whole. Message classes that have one have a method of that name, and nothing in
/// common that would say so.
final class AnswerErrors {
    private static final MethodType TYPE = MethodType.methodType(short.class);

    private static final ClassValue<Optional<MethodHandle>> CODES = new ClassValue<>() {
        @Override
        protected Optional<MethodHandle> computeValue(Class<?> type) {
            try {
                return Optional.of(MethodHandles.publicLookup().findVirtual(type, "errorCode", TYPE).asType(TYPE
                        .insertParameterTypes(0, ApiMessage.class)));
            } catch (NoSuchMethodException | IllegalAccessException none) {
                return Optional.empty();
            }
        }
    };

    private AnswerErrors() {}

    /// NONE also where only parts of an answer of that kind have errors.
    static Errors of(ApiMessage answer) {
        var code = CODES.get(answer.getClass());
        try {
            return code.isEmpty() ? Errors.NONE : Errors.forCode((short) code.get().invokeExact(answer));
        } catch (Throwable failure) {
            throw new IllegalStateException("no error code of " + answer.getClass(), failure);
        }
    }
}
