// Checks instanceof, casts, \typeof, \type and the order of types.
//! check --scope 2 --closed: area, exact, below, wrong
public class Types {
    static class Shape {
        int size;
    }

    static class Square extends Shape {
        int side;
    }

    //@ requires s instanceof Square && ((Square) s).side > 1;
    //@ ensures \result == ((Square) s).side;
    public static int area(Shape s) {
        return ((Square) s).side;
    }

    //@ ensures \result <==> \typeof(s) == \type(Shape);
    //@ ensures \result <==> \typeof(s) != Square.class;
    public static boolean exact(Shape s) {
        return !(s instanceof Square);
    }

    //@ ensures \typeof(s) <: \type(Shape) && \type(Square) <: \type(Shape) && !(\type(Shape) <: \type(Square));
    public static void below(Shape s) {
    }

    //@ ensures \typeof(s) == \type(Shape); // broken by wrong
    public static void wrong(Shape s) {
    }
}
