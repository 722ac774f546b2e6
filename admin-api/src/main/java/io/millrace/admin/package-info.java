/// The admin API as a Spring Boot service: what it is made of, and where its OpenAPI document and Swagger UI are.
@NullMarked
package io.millrace.admin;

import org.jspecify.annotations.NullMarked;
