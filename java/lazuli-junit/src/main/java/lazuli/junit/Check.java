package lazuli.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test method whose parameters are all inputs up to a bound. It passes if no input makes it throw, and fails with the smallest input found that does.
 * {@code @BeforeEach} methods run before it, for each input; a failed assumption ({@code assumeTrue}) leaves the input out.
 */
@Documented
@Test
@ExtendWith(CheckExtension.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface Check {
    /** At most so many input objects of each class. 0 stands for growing scopes, as far as the time goes. */
    int scope() default 3;

    /** The time for this method, such as {@code 500ms}, {@code 10s} or {@code 2m}. */
    String time() default "10s";

    /** The technique, as {@code lazuli check --technique} takes it. */
    String technique() default "";

    /** The result if not all inputs could be tried. */
    Incomplete incomplete() default Incomplete.FAIL;

    /** Further words for {@code lazuli check}, such as {@code --strict}. */
    String[] options() default {};
}
