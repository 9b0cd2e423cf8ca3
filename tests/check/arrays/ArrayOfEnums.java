// Checks an array of enum constants.
// target: ArrayOfEnums.count
// scope: 2
public class ArrayOfEnums {
    enum Light {
        ON, OFF
    }

    static int count(Light[] lights) {
        int on = 0;
        for (Light light : lights) {
            switch (light) {
                case ON:
                    on++;
                    break;
                default:
                    break;
            }
        }
        return on;
    }
}
