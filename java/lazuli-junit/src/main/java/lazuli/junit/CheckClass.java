package lazuli.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Checks all public methods of a class: a test for each of them. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface CheckClass {
    /** The class whose methods are checked. */
    Class<?> value();

    /** At most so many input objects of each class. 0 stands for growing scopes, as far as the time goes. */
    int scope() default 3;

    /** The time for all methods together. */
    String time() default "60s";

    /** The technique, as {@code lazuli check --technique} takes it. */
    String technique() default "";

    /** The result of a method for which not all inputs could be tried. */
    Incomplete incomplete() default Incomplete.FAIL;

    /** Further words for {@code lazuli check}, such as {@code --strict}. */
    String[] options() default {};
}
