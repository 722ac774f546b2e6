package io.millrace.admin.exchange;

import io.millrace.admin.problem.ErrorBody;
import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// The body of what failed outside of every controller.
@RestController
@Hidden
class ErrorPage implements ErrorController {

    @RequestMapping("/error")
    ResponseEntity<ErrorBody> error(HttpServletRequest request) {
        var said = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        var resolved = said instanceof Integer code ? HttpStatus.resolve(code) : null;
        var status = resolved == null ? HttpStatus.NOT_FOUND : resolved;
        return ResponseEntity.status(status).contentType(MediaType.APPLICATION_JSON).body(new ErrorBody(status.value(),
                status.getReasonPhrase()));
    }
}
