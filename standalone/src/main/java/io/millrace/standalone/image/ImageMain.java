package io.millrace.standalone.image;

import java.util.Arrays;

import io.millrace.admin.AdminApplication;
import io.millrace.broker.BrokerApplication;
import io.millrace.controller.ControllerApplication;
import io.millrace.coordinator.CoordinatorApplication;
import io.millrace.standalone.PlainLogging;

/// The entry point of the image: the first argument names what runs, the others are its arguments.
///
///     broker | coordinator | controller | admin-api     a service, with Spring's arguments
///     zone                                              see [NodeZone]
///     check                                             see [ClientCheck]
public final class ImageMain {
    private static final int WRONG_USAGE = 2;

    private ImageMain() {}

    /// Runs it. Ends with 2 where nothing has that name.
    public static void main(String[] args) throws Exception {
        var rest = args.length == 0 ? args : Arrays.copyOfRange(args, 1, args.length);
        switch (args.length == 0 ? "" : args[0]) {
            case "broker" -> BrokerApplication.main(rest);
            case "coordinator" -> CoordinatorApplication.main(rest);
            case "controller" -> ControllerApplication.main(rest);
            case "admin-api" -> AdminApplication.main(rest);
            case "zone" -> {
                PlainLogging.start();
                NodeZone.main(rest);
            }
            case "check" -> {
                PlainLogging.start();
                ClientCheck.main(rest);
            }
            default -> {
                System.err.println("usage: broker|coordinator|controller|admin-api|zone|check [--KEY=VALUE]...");
                System.exit(WRONG_USAGE);
            }
        }
    }
}
